/** `svc-build advisory`: decides whether published vulnerabilities affect a build. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { lockedPackages, lockFile } from '../../build/prove/packages/pins.ts'
import { judge, type Verdict } from '../advisory/judge.ts'
import { toOpenVex } from '../advisory/openvex.ts'
import { readAdvisories } from '../advisory/osv.ts'
import { EXIT, toolFail } from '../errors.ts'
import { writeFile } from '../files.ts'
import { DIST_WORD, homeOf, openDist } from '../open-dist.ts'
import type { Tool, ToolIo } from '../tool.ts'

/** The sub-command. */
export const tool: Tool = {
  usage: '<profile> <osv.json>…',
  about: `For each advisory in the OSV format: is its package in the build? affected (a byte of a file that it is about is
delivered), not affected (the package was read and its file shaken out, or no file of it was read, with the control that
shows it), fixed (another version), or unknown (no lock file has a package of that name). It looks at files, never at calls. It exits with 1 where something is affected.
The profile is ${DIST_WORD}.`,
  example: 'svc-build advisory minimal GHSA-*.json --openvex minimal.openvex.json',
  options: {
    openvex: { type: 'string', value: 'FILE', summary: 'write the verdicts as an OpenVEX document' },
    author: { type: 'string', value: 'NAME', summary: 'who says so, in that document' },
  },
  words: [2, 4096],
  run: async ({ words: [profile, ...files], value, io }) => {
    const advisories = files.flatMap((file) => readAdvisories(file))
    const dist = await openDist(profile!)
    const locked = lockedNames(await homeOf(profile!))
    const verdicts = advisories.flatMap((one) => judge(dist, one, locked))
    const unnamed = advisories.filter(({ affected }) => affected.length === 0).map(({ id }) => id)
    for (const verdict of verdicts) show(verdict, io)
    for (const id of unnamed) io.out(`${id}: names no package of npm, or was withdrawn`)
    const out = value('openvex')
    if (out !== undefined) {
      const vex = toOpenVex(dist.account, verdicts, { author: value('author') ?? 'svc-build', atMs: documentDate() })
      writeFile(out, `${JSON.stringify(vex, null, 2)}\n`)
      io.out(`→ ${out}`)
    }
    const affected = verdicts.some(({ status }) => status === 'affected')
    return { json: { verdicts, unnamed }, code: affected ? EXIT.failed : EXIT.done }
  },
}

/** The names of all packages in the lock file of this toolkit, and in the one beside a profile. */
function lockedNames(home: string): ReadonlySet<string> {
  const profileLock = join(home, 'package-lock.json')
  const places = [lockFile, ...(existsSync(profileLock) ? [profileLock] : [])].flatMap((file) =>
    Object.entries(lockedPackages(file)).flatMap(([place, { name }]) => [
      place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length),
      ...(name === undefined ? [] : [name]),
    ]),
  )
  return new Set(places)
}

/**
 * The date of the document in milliseconds: `SOURCE_DATE_EPOCH` (seconds, as for reproducible builds), so that the
 * document can be reproduced, or else the current time.
 */
function documentDate(): number {
  const text = process.env['SOURCE_DATE_EPOCH']
  if (text === undefined || text === '') return Date.now()
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1_000
  throw toolFail('ERR_TOOL_USAGE', {
    message: `SOURCE_DATE_EPOCH is "${text}".`,
    hint: 'It takes whole seconds since 1970, such as 1767225600.',
  })
}

function show({ id, package: name, version, status, because, summary, controls }: Verdict, io: ToolIo): void {
  io.out(`${id}: ${status.replace('_', ' ')}: ${name}${version === null ? '' : ` ${version}`}: ${because}`)
  if (summary !== '') io.out(`  ${summary}`)
  for (const [where, { mutation, saves }] of Object.entries(controls)) {
    io.out(`  control, ${where}: switched on, the proof names ${mutation} (${saves} bytes more)`)
  }
}
