/** The fields of a new device that are the same whether it is enrolled or invited. */
import type { JSX } from 'preact'

const DAY_SECONDS = 86_400

/** The fields for the label and the end of a device. */
export function DeviceFields(): JSX.Element {
  return (
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
  )
}

/** What the fields of a form say: the label, null for none, and the seconds after which the device expires, null for never. */
export function readDeviceFields(form: HTMLFormElement): {
  readonly label: string | null
  readonly deviceSeconds: number | null
} {
  const fields = new FormData(form)
  const [label, days] = [String(fields.get('label')).trim(), Number(fields.get('days'))]
  return { label: label === '' ? null : label, deviceSeconds: days === 0 ? null : days * DAY_SECONDS }
}
