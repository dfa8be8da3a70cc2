/** Asks for confirmation and for a reason before a device is revoked. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Device, RevokeRequest } from '../../../session.ts'
import { consoleApi, type ServiceError } from '../../lib/service.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Clamped, Refusal } from '../../parts/parts.tsx'

/** A dialog. */
export function RevokeDevice({
  of,
  onClose,
  onRevoked,
}: {
  readonly of: Device
  readonly onClose: () => void
  readonly onRevoked: () => void
}): JSX.Element {
  const [error, setError] = useState<ServiceError | undefined>(undefined)
  const revoke = async (form: HTMLFormElement): Promise<void> => {
    const reason = String(new FormData(form).get('reason')).trim()
    const body: RevokeRequest = { keyId: of.keyId, reason: reason === '' ? null : reason }
    try {
      await consoleApi<Device>('/devices/revoke', { method: 'POST', body })
      onRevoked()
      onClose()
    } catch (cause) {
      setError(cause as ServiceError)
    }
  }
  return (
    <Dialog title="Revoke this device?" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void revoke(event.currentTarget)
        }}
      >
        <p>
          <strong>
            <Clamped text={of.label ?? 'no label'} lines={2} />
          </strong>
          <code class="access-id wrap">{of.keyId}</code>
        </p>
        <p>
          The service refuses what this device signs from the next request on. This cannot be undone: to be enrolled
          again, the device needs a new key.
        </p>
        <label>
          Reason, which the list of devices shows
          <input name="reason" maxLength={200} autocomplete="off" placeholder="lost, replaced, sold" />
        </label>
        {error !== undefined && <Refusal error={error} />}
        <footer>
          <button type="button" onClick={onClose}>
            Keep it
          </button>
          <button type="submit" class="danger">
            Revoke
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
