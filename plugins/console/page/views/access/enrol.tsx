/** Enrols a device by its public key. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Device, EnrolRequest } from '../../../session.ts'
import { consoleApi } from '../../lib/service.ts'
import { DeviceForm, type NewDevice } from './device-form.tsx'
import { readKeyText } from './key-text.ts'

/** A dialog. */
export function Enrol({
  onClose,
  onEnrolled,
}: {
  readonly onClose: () => void
  readonly onEnrolled: () => void
}): JSX.Element {
  const [keyText, setKeyText] = useState('')
  const key = readKeyText(keyText)
  const keyId = key !== undefined && 'keyId' in key ? key.keyId : undefined
  const enrol = async ({ scopes, label, deviceSeconds }: NewDevice): Promise<void> => {
    if (keyId === undefined) return
    const expiresAtMs = deviceSeconds === null ? null : Date.now() + deviceSeconds * 1_000
    const body: EnrolRequest = { keyId, scopes, label, expiresAtMs }
    await consoleApi<Device>('/devices', { method: 'POST', body })
    onEnrolled()
    onClose()
  }
  return (
    <DeviceForm title="Enrol a device" action="Enrol" isReady={keyId !== undefined} onSubmit={enrol} onClose={onClose}>
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
    </DeviceForm>
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
