import type { Severity } from '../../watch/views.ts'

const WORDS: Readonly<Record<Severity, string>> = { alarm: 'Alarm', warn: 'Warning', info: 'Note' }

/** In words and in colour. */
export function SeverityMark({ severity }: { readonly severity: Severity }) {
  return <span class={`badge ${severity}`}>{WORDS[severity]}</span>
}
