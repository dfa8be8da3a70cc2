/** Enrols a device by its public key. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Device, EnrolRequest } from '../../../session.ts'
import { visible } from '../../lib/format.ts'
import { own, type ServiceError } from '../../lib/service.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Refusal } from '../../parts/parts.tsx'
import { readKeyText } from './key-text.ts'
import { readScopes, scopeInWords } from './scopes.ts'

const DAY_MS = 86_400_000

/** A dialog. */
export function Enrol({
  onClose,
  onEnrolled,
}: {
  readonly onClose: () => void
  readonly onEnrolled: () => void
}): JSX.Element {
  const [keyText, setKeyText] = useState('')
  const [scopeText, setScopeText] = useState('')
  const [error, setError] = useState<ServiceError | undefined>(undefined)
  const key = readKeyText(keyText)
  const scopes = readScopes(scopeText)
  const keyId = key !== undefined && 'keyId' in key ? key.keyId : undefined
  const isReady = keyId !== undefined && scopes.length > 0 && scopes.every((scope) => scopeInWords(scope) !== undefined)
  const enrol = async (form: HTMLFormElement): Promise<void> => {
    if (keyId === undefined) return
    const fields = new FormData(form)
    const [label, days] = [String(fields.get('label')).trim(), Number(fields.get('days'))]
    const body: EnrolRequest = {
      keyId,
      scopes,
      label: label === '' ? null : label,
      expiresAtMs: days === 0 ? null : Date.now() + days * DAY_MS,
    }
    try {
      await own<Device>('/devices', { method: 'POST', body })
      onEnrolled()
      onClose()
    } catch (cause) {
      setError(cause as ServiceError)
    }
  }
  return (
    <Dialog title="Enrol a device" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) void enrol(event.currentTarget)
        }}
      >
        <label>
          Public key: its key id, or the text of the .pub file
          <textarea
            rows={3}
            class="mono"
            spellcheck={false}
            placeholder="ed25519:…"
            value={keyText}
            onInput={(event) => setKeyText(event.currentTarget.value)}
          />
        </label>
        {key !== undefined && <KeyAnswer problem={'problem' in key ? key.problem : undefined} keyId={keyId} />}
        <label>
          Scopes, with spaces between
          <input
            class="mono"
            autocomplete="off"
            spellcheck={false}
            placeholder="kbd-control:demo kbd-content:demo"
            value={scopeText}
            onInput={(event) => setScopeText(event.currentTarget.value)}
          />
        </label>
        {scopes.length > 0 && (
          <ul class="access-words">
            {scopes.map((scope) => (
              <ScopeAnswer key={scope} scope={scope} />
            ))}
          </ul>
        )}
        <div class="access-pair">
          <label>
            Label
            <input name="label" maxLength={100} autocomplete="off" placeholder="Ada's laptop" />
          </label>
          <label>
            Expires after
            <select name="days">
              <option value="0">does not expire</option>
              <option value="1">1 day</option>
              <option value="30">30 days</option>
              <option value="365">365 days</option>
            </select>
          </label>
        </div>
        {error !== undefined && <Refusal error={error} />}
        <footer>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={!isReady}>
            Enrol
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

function KeyAnswer({
  problem,
  keyId,
}: {
  readonly problem: string | undefined
  readonly keyId: string | undefined
}): JSX.Element {
  if (problem !== undefined)
    return (
      <p class="refusal" role="alert">
        {problem}
      </p>
    )
  return <code class="access-id wrap">{keyId}</code>
}

function ScopeAnswer({ scope }: { readonly scope: string }): JSX.Element {
  const words = scopeInWords(scope)
  return <li class={words === undefined ? 'access-wrong' : undefined}>{words ?? `${visible(scope)} is not a scope`}</li>
}
