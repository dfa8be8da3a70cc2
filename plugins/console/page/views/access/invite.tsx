/** Invites a device: makes a code, and shows it once, as text and as a QR code. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { CancelRequest, InviteRequest, ShownInvitation } from '../../../session.ts'
import { fullTime } from '../../lib/format.ts'
import { own, type ServiceError } from '../../lib/service.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Copy, Refusal } from '../../parts/parts.tsx'
import { DeviceFields, readDeviceFields } from './device-fields.tsx'
import { QrCode } from './qr-code.tsx'
import { ScopeField } from './scope-field.tsx'
import { readScopes, scopeInWords } from './scopes.ts'

/** A dialog. It is the only part of the page that has the code, and the code is gone when the dialog closes. */
export function Invite({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const [made, setMade] = useState<ShownInvitation | undefined>(undefined)
  return made === undefined ? <Form onClose={onClose} onMade={setMade} /> : <Shown of={made} onClose={onClose} />
}

function Form({
  onClose,
  onMade,
}: {
  readonly onClose: () => void
  readonly onMade: (made: ShownInvitation) => void
}): JSX.Element {
  const [text, setText] = useState('')
  const [error, setError] = useState<ServiceError | undefined>(undefined)
  const scopes = readScopes(text)
  const isReady = scopes.length > 0 && scopes.every((scope) => scopeInWords(scope) !== undefined)
  const invite = async (form: HTMLFormElement): Promise<void> => {
    const body: InviteRequest = { scopes, ...readDeviceFields(form) }
    try {
      onMade(await own<ShownInvitation>('/invitations', { method: 'POST', body }))
    } catch (cause) {
      setError(cause as ServiceError)
    }
  }
  return (
    <Dialog title="Invite a device" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) void invite(event.currentTarget)
        }}
      >
        <p>One device of a user of this service enrols itself with a code, over the network. Its key stays on it.</p>
        <ScopeField text={text} scopes={scopes} onText={setText} />
        <DeviceFields />
        {error !== undefined && <Refusal error={error} />}
        <footer>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={!isReady}>
            Make a code
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

function Shown({ of, onClose }: { readonly of: ShownInvitation; readonly onClose: () => void }): JSX.Element {
  const [error, setError] = useState<ServiceError | undefined>(undefined)
  const cancel = async (): Promise<void> => {
    const body: CancelRequest = { id: of.id }
    try {
      await own('/invitations/cancel', { method: 'POST', body })
      onClose()
    } catch (cause) {
      setError(cause as ServiceError)
    }
  }
  return (
    <Dialog title="Scan the code with the device" onClose={onClose}>
      <QrCode rows={of.qr} name="QR code of the invitation. The text below has the same code." />
      <div class="snippet secret">
        <code>{of.code}</code>
        <Copy text={of.code} label="Copy code" />
      </div>
      <p class="access-hint">
        One device may use it, until {fullTime(of.expiresAtMs)}. It is shown this once: the service stores a hash.
      </p>
      {error !== undefined && <Refusal error={error} />}
      <footer>
        <button type="button" onClick={() => void cancel()}>
          Cancel the code
        </button>
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
      </footer>
    </Dialog>
  )
}
