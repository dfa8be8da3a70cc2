/** A field for the scopes of a device, which says in words what each scope allows. */
import type { JSX } from 'preact'
import { visible } from '../../lib/format.ts'
import { scopeInWords } from './scopes.ts'

/** A field, and a list of its scopes in words. */
export function ScopeField({
  text,
  scopes,
  onText,
}: {
  readonly text: string
  readonly scopes: readonly string[]
  readonly onText: (text: string) => void
}): JSX.Element {
  return (
    <>
      <label>
        Scopes, with spaces between
        <input
          class="mono"
          autocomplete="off"
          spellcheck={false}
          placeholder="kbd-control:demo kbd-content:demo"
          value={text}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      </label>
      {scopes.length > 0 && (
        <ul class="access-words">
          {scopes.map((scope) => (
            <ScopeAnswer key={scope} scope={scope} />
          ))}
        </ul>
      )}
    </>
  )
}

function ScopeAnswer({ scope }: { readonly scope: string }): JSX.Element {
  const words = scopeInWords(scope)
  return <li class={words === undefined ? 'access-wrong' : undefined}>{words ?? `${visible(scope)} is not a scope`}</li>
}
