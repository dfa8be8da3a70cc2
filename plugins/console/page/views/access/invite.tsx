/** Invites a device: makes a code, and shows it once, as text and as a QR code. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { CancelRequest, InviteRequest, ShownInvitation } from '../../../session.ts'
import { fullTime } from '../../lib/format.ts'
import { consoleApi, type ServiceError } from '../../lib/service.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Copy, Refusal } from '../../parts/parts.tsx'
import { DeviceForm } from './device-form.tsx'

/** A dialog. It is the only part of the page that has the code, and the code is gone when the dialog closes. */
export function Invite({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const [made, setMade] = useState<ShownInvitation | undefined>(undefined)
  if (made !== undefined) return <Shown of={made} onClose={onClose} />
  const invite = async (body: InviteRequest): Promise<void> =>
    setMade(await consoleApi<ShownInvitation>('/invitations', { method: 'POST', body }))
  return (
    <DeviceForm title="Invite a device" action="Make a code" onSubmit={invite} onClose={onClose}>
      <p>With the code, one device enrols itself over the network. Its private key stays on the device.</p>
    </DeviceForm>
  )
}

function Shown({ of, onClose }: { readonly of: ShownInvitation; readonly onClose: () => void }): JSX.Element {
  const [error, setError] = useState<ServiceError | undefined>(undefined)
  const cancel = async (): Promise<void> => {
    const body: CancelRequest = { id: of.id }
    try {
      await consoleApi('/invitations/cancel', { method: 'POST', body })
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

/** Light modules around a QR code, which readers need (ISO/IEC 18004). */
const QUIET = 4

/**
 * Draws a QR code. `rows` has a text for each row, with `1` for dark and `0` for light; `name` is read to people who do
 * not see it.
 */
function QrCode({ rows, name }: { readonly rows: readonly string[]; readonly name: string }): JSX.Element {
  const size = rows.length + 2 * QUIET
  const path = rows.flatMap((row, y) =>
    [...row.matchAll(/1+/g)].map(
      ({ index, 0: { length } }) => `M${index + QUIET} ${y + QUIET}h${length}v1h-${length}z`,
    ),
  )
  return (
    <svg class="qr-code" role="img" aria-label={name} viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path.join('')} fill="#000" />
    </svg>
  )
}
