/**
 * CodeMirror behind two functions. This module and all of CodeMirror is loaded when the first code is shown, never before.
 */
import { python } from '@codemirror/lang-python';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Something that is shown until it is destroyed. */
export interface ShownCode {
  destroy(): void;
}

const highlight = HighlightStyle.define([
  { tag: [tags.keyword, tags.controlKeyword, tags.operatorKeyword], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
  { tag: [tags.function(tags.variableName), tags.definition(tags.variableName)], color: 'var(--code-name)' },
]);

const look = EditorView.theme({
  '&': { fontSize: '13px', backgroundColor: 'var(--page)', color: 'var(--ink)' },
  '.cm-content': { fontFamily: 'var(--mono)', lineHeight: '20px' },
  '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--soft)', border: 'none' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  // The canonical's side in the colour of a pass, the candidate's in that of a failed assert.
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': {
    background: 'var(--pass-wash)',
    boxShadow: '0 0 0 1px var(--pass)',
  },
  '&.cm-merge-b .cm-changedText': { background: 'var(--wrong-wash)', boxShadow: '0 0 0 1px var(--wrong)' },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk, &.cm-merge-b .cm-changedLine, .cm-inlineChangedLine': {
    backgroundColor: 'var(--panel)',
  },
  '&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter': { background: 'var(--pass)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--wrong)' },
});

function shared(label: string): Extension {
  return [
    lineNumbers(),
    python(),
    syntaxHighlighting(highlight),
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.lineWrapping,
    // Without an editable content nothing could be focused and scrolled by keyboard.
    EditorView.contentAttributes.of({
      'aria-label': label,
      tabindex: '0',
      role: 'textbox',
      'aria-readonly': 'true',
      'aria-multiline': 'true',
    }),
    look,
  ];
}

/** Shows one Python source, read-only. */
export function showCode(parent: HTMLElement, source: string, label: string): ShownCode {
  return new EditorView({ parent, state: EditorState.create({ doc: source, extensions: shared(label) }) });
}

/** The two sides of a comparison, each with what a screen reader calls it. */
export interface DiffSides {
  readonly left: { readonly source: string; readonly label: string };
  readonly right: { readonly source: string; readonly label: string };
}

/** Shows two Python sources with the differing span marked: side by side, or in one column where there is no room. */
export function showDiff(parent: HTMLElement, { left, right }: DiffSides, sideBySide: boolean): ShownCode {
  if (sideBySide) {
    return new MergeView({
      parent,
      a: { doc: left.source, extensions: shared(left.label) },
      b: { doc: right.source, extensions: shared(right.label) },
      highlightChanges: true,
      gutter: true,
    });
  }
  return new EditorView({
    parent,
    state: EditorState.create({
      doc: right.source,
      extensions: [
        shared(`${right.label}, with what ${left.label} has instead`),
        unifiedMergeView({
          original: left.source,
          mergeControls: false,
          highlightChanges: true,
          gutter: true,
        }),
      ],
    }),
  });
}
