import { autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, foldGutter, indentOnInput } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import type { Diagnostic } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import type { PlanView } from '../wire.ts';
import { complete } from './completion.ts';
import { highlighting, nonce } from './highlighting.ts';
import { texts } from './texts.ts';
import { placeOfPath } from './yamlpath.ts';

interface EditorProps {
  readonly text: string;
  /** Errors that the hub would answer with. */
  readonly errors: PlanView['errors'];
  /** Why the text is no manifest; empty when it is one. */
  readonly problem: string;
  readonly onText: (text: string) => void;
}

const setup = (onText: (text: string) => void): Extension => [
  nonce(),
  lineNumbers(),
  foldGutter(),
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  lintGutter(),
  yaml(),
  highlighting,
  autocompletion({ override: [complete], activateOnTyping: true }),
  EditorState.tabSize.of(2),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ 'aria-label': texts.plan.editor, spellcheck: 'false', tabindex: '0' }),
  // Escape and then Tab leave the editor.
  keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...completionKeymap, indentWithTab]),
  EditorView.updateListener.of(({ docChanged, state, transactions }) => {
    if (docChanged && !transactions.some((one) => one.isUserEvent('sluice.outside'))) onText(state.doc.toString());
  }),
];

/** The editor of manifests: completes by the schemas of the hub, and marks what the hub would refuse. */
export function Editor({ text, errors, problem, onText }: EditorProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const tell = useRef(onText);
  tell.current = onText;
  useEffect(() => {
    if (!place.current) return undefined;
    const made = new EditorView({
      parent: place.current,
      state: EditorState.create({ extensions: setup((changed) => tell.current(changed)) }),
    });
    view.current = made;
    return () => made.destroy();
  }, []);
  useEffect(() => {
    const state = view.current?.state;
    if (!state || state.doc.toString() === text) return;
    view.current?.dispatch({ changes: { from: 0, to: state.doc.length, insert: text }, userEvent: 'sluice.outside' });
  }, [text]);
  useEffect(() => {
    const state = view.current?.state;
    if (state) view.current?.dispatch(setDiagnostics(state, diagnosticsOf(state.doc.toString(), errors, problem)));
  }, [errors, problem, text]);
  return <div className="editor" ref={place} />;
}

function diagnosticsOf(text: string, errors: PlanView['errors'], problem: string): readonly Diagnostic[] {
  const found: Diagnostic[] = errors.map(({ object, path, message }) => ({
    ...placeOfPath(text, object, path),
    severity: 'error',
    message: path ? `${path}: ${message}` : message,
  }));
  const line = /\((\d+):\d+\)/.exec(problem)?.[1];
  if (line !== undefined) found.push({ ...placeOfLine(text, Number(line)), severity: 'error', message: problem });
  return found;
}

function placeOfLine(text: string, line: number): { readonly from: number; readonly to: number } {
  const lines = text.split('\n');
  const from = lines.slice(0, Math.max(0, line - 1)).reduce((sum, one) => sum + one.length + 1, 0);
  return { from: Math.min(from, text.length), to: Math.min(text.length, from + (lines[line - 1]?.length ?? 0)) };
}
