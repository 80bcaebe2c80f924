import { declareProtocol } from './declare.ts';

/** trec_eval with `-c`: the field's common ground, and what is used when nothing else is named. */
export const TREC = declareProtocol({
  id: 'trec',
  title: 'trec_eval',
  about: 'trec_eval with -c: every default of the settings.',
  source:
    'NIST trec_eval 10 (scores in double precision; versions up to 9 and pytrec_eval hold them as float32).',
  chosen: {},
  deviations: ['A query judged with negative grades alone crashes or hangs pytrec_eval; here it scores 0.'],
});
