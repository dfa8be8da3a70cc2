/** The state of a key or a device. */
import type { JSX } from 'preact'
import { Badge, type Tone } from '../../parts/parts.tsx'
import type { KeyState } from './key-states.ts'

const TONES: Readonly<Record<KeyState, Tone>> = { active: 'ok', expired: 'warn', revoked: 'bad' }

/** Shows the state in a word with a colour. */
export function KeyStateBadge({ state }: { readonly state: KeyState }): JSX.Element {
  return <Badge tone={TONES[state]}>{state}</Badge>
}
