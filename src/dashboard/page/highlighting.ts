import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Colours of YAML, from the variables of the page, so that both themes have them. */
export const highlighting: Extension = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.propertyName, color: 'var(--accent-text)' },
    { tag: tags.definition(tags.propertyName), color: 'var(--accent-text)' },
    { tag: tags.string, color: 'var(--good)' },
    { tag: [tags.number, tags.bool, tags.keyword], color: 'var(--caution)' },
    { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
    { tag: tags.invalid, color: 'var(--danger)' },
  ]),
);

/** The policy of the page allows styles that carry the nonce of the document. */
export function nonce(): Extension {
  return EditorView.cspNonce.of(document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '');
}
