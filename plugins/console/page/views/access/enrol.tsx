/** Enrols a device by its public key. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Device, EnrolRequest } from '../../../session.ts'
import { own, type ServiceError } from '../../lib/service.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Refusal } from '../../parts/parts.tsx'
import { DeviceFields, readDeviceFields } from './device-fields.tsx'
import { readKeyText } from './key-text.ts'
import { ScopeField } from './scope-field.tsx'
import { readScopes, scopeInWords } from './scopes.ts'

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
    const { label, deviceSeconds } = readDeviceFields(form)
    const expiresAtMs = deviceSeconds === null ? null : Date.now() + deviceSeconds * 1_000
    const body: EnrolRequest = { keyId, scopes, label, expiresAtMs }
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
        <ScopeField text={scopeText} scopes={scopes} onText={setScopeText} />
        <DeviceFields />
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
