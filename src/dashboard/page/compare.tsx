import { yaml } from '@codemirror/lang-yaml';
import { MergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { highlighting, nonce } from './highlighting.ts';
import { texts } from './texts.ts';

const setup = (label: string): Extension => [
  nonce(),
  lineNumbers(),
  yaml(),
  highlighting,
  EditorState.readOnly.of(true),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
];

/** Two texts side by side, with what differs; what is the same is folded away. */
export function Compare({ before, after }: { readonly before: string; readonly after: string }): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current) return undefined;
    const made = new MergeView({
      parent: place.current,
      a: { doc: before, extensions: setup(texts.plan.before) },
      b: { doc: after, extensions: setup(texts.plan.after) },
      collapseUnchanged: { margin: 3, minSize: 6 },
    });
    return () => made.destroy();
  }, [before, after]);
  return <div className="compare" ref={place} />;
}
