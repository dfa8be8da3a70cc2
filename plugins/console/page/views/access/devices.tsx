/** The devices of this node. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Device, DeviceList } from '../../../session.ts'
import { countOf, shortId, visible } from '../../lib/format.ts'
import { useKeys } from '../../lib/keys.ts'
import { useLoad } from '../../lib/load.ts'
import { consoleApi, loadedSession, session } from '../../lib/service.ts'
import { now } from '../../lib/while-visible.ts'
import { Datum } from '../../parts/datum.tsx'
import { Ago, Badge, Clamped, Copy, Empty, Panel } from '../../parts/parts.tsx'
import { Enrol } from './enrol.tsx'
import { Invite } from './invite.tsx'
import { KeyStateBadge } from './key-state-badge.tsx'
import { type KeyState, stateOfDevice } from './key-states.ts'
import { RevokeDevice } from './revoke-device.tsx'
import { scopeInWords } from './scopes.ts'

/** Number of devices that are shown before the reader asks for all devices. */
const SHOWN = 50
const FIRST_COMMAND =
  'svc device keygen --out me.key && svc device enroll --key me.key.pub --scope kbd-control:demo --label "my laptop"'

/** Lists the devices. With `--write` it also enrols, invites and revokes devices. */
export function Devices(): JSX.Element {
  const { isWritable, mayInvite, storeRefusal } = loadedSession()
  const mayWrite = isWritable && storeRefusal === null
  const [isEnrolling, setEnrolling] = useState(false)
  const [isInviting, setInviting] = useState(false)
  const [revoked, setRevoked] = useState<Device | undefined>(undefined)
  const [isWhole, setWhole] = useState(false)
  const listed = useLoad((stop) => consoleApi<DeviceList>('/devices', { signal: stop }), { everyMs: 10_000 })
  const invites = mayWrite && mayInvite
  useKeys([
    ...(mayWrite ? [{ keys: 'e', does: 'Enrol a device', run: () => setEnrolling(true) }] : []),
    ...(invites ? [{ keys: 'i', does: 'Invite a device', run: () => setInviting(true) }] : []),
  ])
  return (
    <Panel
      title="Devices"
      aside={
        mayWrite && (
          <div class="access-actions">
            {invites && (
              <button type="button" onClick={() => setInviting(true)}>
                Invite a device
              </button>
            )}
            <button type="button" class="primary" onClick={() => setEnrolling(true)}>
              Enrol a device
            </button>
          </div>
        )
      }
    >
      <Datum
        of={listed}
        isOfConsole
        name="the devices"
        empty={({ devices }) =>
          devices.length === 0 ? (
            <Empty title="No device yet" command={FIRST_COMMAND}>
              A device is a key that signs. The service stores only the public key.
            </Empty>
          ) : undefined
        }
      >
        {({ devices }) => (
          <>
            <ul class="access-list">
              {sorted(devices)
                .slice(0, isWhole ? devices.length : SHOWN)
                .map((device) => (
                  <DeviceRow
                    key={device.keyId}
                    of={device}
                    onRevoke={mayWrite ? () => setRevoked(device) : undefined}
                  />
                ))}
            </ul>
            {!isWhole && devices.length > SHOWN && (
              <button type="button" class="quiet" onClick={() => setWhole(true)}>
                Show {countOf(devices.length - SHOWN, 'more device')}
              </button>
            )}
          </>
        )}
      </Datum>
      {isEnrolling && <Enrol onClose={() => setEnrolling(false)} onEnrolled={listed.reload} />}
      {isInviting && <Invite onClose={() => setInviting(false)} />}
      {revoked !== undefined && (
        <RevokeDevice of={revoked} onClose={() => setRevoked(undefined)} onRevoked={listed.reload} />
      )}
    </Panel>
  )
}

function sorted(devices: readonly Device[]): readonly Device[] {
  const rank = (device: Device): number => (stateOfDevice(device, now.value) === 'active' ? 0 : 1)
  return [...devices].sort((a, b) => rank(a) - rank(b) || b.enrolledAtMs - a.enrolledAtMs)
}

function DeviceRow({
  of,
  onRevoke,
}: {
  readonly of: Device
  readonly onRevoke: (() => void) | undefined
}): JSX.Element {
  const state = stateOfDevice(of, now.value)
  const isOwn = session.value?.device?.keyId === of.keyId
  return (
    <li class={state === 'active' ? undefined : 'access-ended'}>
      <div class="access-name">
        <strong>
          {of.label === null ? <span class="access-none">no label</span> : <Clamped text={of.label} lines={2} />}
        </strong>
        <span class="access-id">
          <code title={of.keyId}>{shortId(of.keyId)}…</code> <Copy text={of.keyId} label="Copy id" />
          {isOwn && <Badge tone="accent">signs for this console</Badge>}
        </span>
      </div>
      <ul class="access-words">
        {of.scopes.slice(0, 12).map((scope) => (
          <li key={scope}>
            {scopeInWords(scope) ?? visible(scope)} <code>{visible(scope)}</code>
          </li>
        ))}
        {of.scopes.length > 12 && <li class="access-none">{countOf(of.scopes.length - 12, 'more scope')}</li>}
      </ul>
      <div class="access-times">
        <span>
          enrolled <Ago timeMs={of.enrolledAtMs} />
        </span>
        <Ending of={of} state={state} />
      </div>
      <div class="access-state">
        <KeyStateBadge state={state} />
        {state !== 'revoked' && onRevoke !== undefined && (
          <button type="button" class="quiet" onClick={onRevoke} aria-label={`Revoke ${nameOf(of)}`}>
            Revoke
          </button>
        )}
      </div>
    </li>
  )
}

/** A short name of a device: the beginning of its label, or of its key id. */
function nameOf({ label, keyId }: Device): string {
  return visible(label ?? shortId(keyId), 80)
}

function Ending({ of, state }: { readonly of: Device; readonly state: KeyState }): JSX.Element | null {
  if (of.revokedAtMs !== null)
    return (
      <>
        <span>
          revoked <Ago timeMs={of.revokedAtMs} />
        </span>
        {of.revokedReason !== null && <Clamped text={of.revokedReason} lines={2} />}
      </>
    )
  if (of.expiresAtMs === null) return <span>does not expire</span>
  return (
    <span>
      {state === 'expired' ? 'expired' : 'expires'} <Ago timeMs={of.expiresAtMs} />
    </span>
  )
}
