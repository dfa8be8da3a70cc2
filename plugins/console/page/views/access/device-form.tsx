/** The form of a new device, whether it is enrolled or invited: its scopes, label and end. */
import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ServiceError } from '../../lib/service.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Refusal } from '../../parts/parts.tsx'
import { ScopeField } from './scope-field.tsx'
import { readScopes, scopeInWords } from './scopes.ts'

const DAY_SECONDS = 86_400

/** What the form says of the device. */
export interface NewDevice {
  readonly scopes: readonly string[]
  /** Null for none. */
  readonly label: string | null
  /** Seconds after which the device expires; null for never. */
  readonly deviceSeconds: number | null
}

/** A dialog with the form. `children` come before its fields. An error with which `onSubmit` rejects is shown. */
export function DeviceForm({
  title,
  action,
  isReady = true,
  children,
  onSubmit,
  onClose,
}: {
  readonly title: string
  /** What the button says. */
  readonly action: string
  /** Whether the fields of the caller are filled in. */
  readonly isReady?: boolean
  readonly children: ComponentChildren
  readonly onSubmit: (device: NewDevice) => Promise<void>
  readonly onClose: () => void
}): JSX.Element {
  const [text, setText] = useState('')
  const [error, setError] = useState<ServiceError | undefined>(undefined)
  const scopes = readScopes(text)
  const canSubmit = isReady && scopes.length > 0 && scopes.every((scope) => scopeInWords(scope) !== undefined)
  const submit = (form: HTMLFormElement): void => {
    const fields = new FormData(form)
    const [label, days] = [String(fields.get('label')).trim(), Number(fields.get('days'))]
    const device = {
      scopes,
      label: label === '' ? null : label,
      deviceSeconds: days === 0 ? null : days * DAY_SECONDS,
    }
    onSubmit(device).catch((cause: ServiceError) => setError(cause))
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (canSubmit) submit(event.currentTarget)
        }}
      >
        {children}
        <ScopeField text={text} scopes={scopes} onText={setText} />
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
          <button type="submit" class="primary" disabled={!canSubmit}>
            {action}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
