/** Reads a systemd unit, as far as a test can do what it asks for without systemd. */

/** A service unit. */
export interface UnitFile {
  readonly command: readonly string[]
  readonly user: string
  readonly group: string
  /** Names of folders in `/var/lib` and `/run`, with the mode that they get. */
  readonly state: { readonly name: string; readonly mode: string }
  readonly runtime: { readonly name: string; readonly mode: string }
  readonly umask: string
  readonly stopSignal: NodeJS.Signals
}

/** Directives that {@link readUnit} returns, or that a machine of the test applies to every service. */
const APPLIED: ReadonlySet<string> = new Set([
  ...['ExecStart', 'User', 'Group', 'StateDirectory', 'StateDirectoryMode', 'RuntimeDirectory', 'RuntimeDirectoryMode'],
  ...['UMask', 'KillSignal'],
  ...['NoNewPrivileges=yes', 'CapabilityBoundingSet=', 'ProtectSystem=strict', 'ProtectHome=yes', 'PrivateTmp=yes'],
  'PrivateDevices=yes',
])

/**
 * Directives that only a service manager applies: restarts, filters of the kernel, and a limit that a container may not
 * raise.
 */
const OF_SYSTEMD: ReadonlySet<string> = new Set([
  ...['ExecReload', 'KillMode', 'TimeoutStopSec', 'Restart', 'RestartSec', 'RestartPreventExitStatus', 'ProtectProc'],
  ...['ProtectClock', 'ProtectHostname', 'ProtectKernelTunables', 'ProtectKernelModules', 'ProtectKernelLogs'],
  ...['ProtectControlGroups', 'RestrictAddressFamilies', 'RestrictNamespaces', 'RestrictRealtime', 'RestrictSUIDSGID'],
  ...['LockPersonality', 'RemoveIPC', 'SystemCallArchitectures', 'SystemCallFilter', 'LimitNOFILE'],
])

/** Reads the section `[Service]`. Throws for a directive of which nobody has decided what a test does about it. */
export function readUnit(text: string): UnitFile {
  const service = /^\[Service\]\n([\s\S]*?)(?=^\[|$(?![\s\S]))/m.exec(text)?.[1] ?? ''
  const values = new Map<string, string>()
  for (const line of service.split('\n')) {
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? []
    if (name === undefined) {
      if (!/^(?:#.*)?$/.test(line)) throw new Error(`no directive: ${line}`)
      continue
    }
    if (!APPLIED.has(name) && !APPLIED.has(line) && !OF_SYSTEMD.has(name)) throw new Error(`not decided: ${line}`)
    values.set(name, value!)
  }
  const of = (name: string): string => {
    const value = values.get(name)
    if (value === undefined) throw new Error(`no ${name}=`)
    return value
  }
  return {
    command: of('ExecStart').split(' '),
    user: of('User'),
    group: of('Group'),
    state: { name: of('StateDirectory'), mode: of('StateDirectoryMode') },
    runtime: { name: of('RuntimeDirectory'), mode: of('RuntimeDirectoryMode') },
    umask: of('UMask'),
    stopSignal: of('KillSignal') as NodeJS.Signals,
  }
}
