import { AutoTokenizer } from '@huggingface/transformers';
import { AppError, messageOf } from '../../src/domain/app-error.ts';
import { closingTokens, type PairTokenizer } from './tokens.ts';
import { MODEL_NAME, serveFiles, type ModelFileMap } from './transformers-env.ts';

type Tokenizer = Awaited<ReturnType<typeof AutoTokenizer.from_pretrained>>;

/**
 * Loads a model's tokenizer. `appendEos`: whether an end-of-text token is added where it does not add one itself.
 * Errors: `model-unusable`, naming the files.
 */
export async function loadTokenizer(
  modelId: string,
  files: ModelFileMap,
  appendEos: boolean,
): Promise<PairTokenizer> {
  serveFiles(files);
  try {
    return wrapTokenizer(await AutoTokenizer.from_pretrained(MODEL_NAME), appendEos);
  } catch (cause) {
    throw new AppError(
      'model',
      'model-unusable',
      `model ${modelId}: tokenizer.json or tokenizer_config.json cannot be used: ${messageOf(cause)}`,
      { cause },
    );
  }
}

function wrapTokenizer(tokenizer: Tokenizer, appendEos: boolean): PairTokenizer {
  const bare = (text: string): number[] => tokenizer.encode(text);
  const eos = idOf(tokenizer, tokenizer.eos_token);
  const ofEmpty = bare('');
  const closing = closingTokens(ofEmpty, bare('a'));
  const add = appendEos && closing.length === 0 && eos !== undefined;
  return {
    tokenise: add ? (text) => [...bare(text), eos] : bare,
    closing: add ? [eos] : closing,
    // Masked positions never count, so that any id does for a tokenizer without a pad token.
    padId: tokenizer.pad_token_id ?? eos ?? 0,
    tokenisePair(first, second) {
      const { input_ids, token_type_ids } = tokenizer(first, {
        text_pair: second,
        return_tensor: false,
        return_token_type_ids: true,
      }) as { input_ids: number[]; token_type_ids?: number[] };
      return { ids: input_ids, ...(token_type_ids && { segments: token_type_ids }) };
    },
    tokeniseBare: (text) => tokenizer.encode(text, { add_special_tokens: false }),
    idOf: (token) => idOf(tokenizer, token),
  };
}

function idOf(tokenizer: Tokenizer, token: string | null | undefined): number | undefined {
  if (typeof token !== 'string') return undefined;
  const id = tokenizer.convert_tokens_to_ids(token);
  return typeof id === 'number' ? id : undefined;
}
