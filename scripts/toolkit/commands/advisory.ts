/** `svc-build advisory`: whether published vulnerabilities concern a build. */
import { judge, type Verdict } from '../advisory/judge.ts'
import { toOpenVex } from '../advisory/openvex.ts'
import { readAdvisories } from '../advisory/osv.ts'
import { EXIT } from '../errors.ts'
import { DIST_WORD, openDist } from '../open-dist.ts'
import type { Tool, ToolIo } from '../tool.ts'
import { writeFile } from '../write-out.ts'

/** The sub-command. */
export const tool: Tool = {
  usage: '<profile> <osv.json>…',
  about: `For each advisory in the OSV format: is its package in the build? affected (a byte of a file that it is about is
delivered), not affected (the package was read and its file shaken out, or no file of it was read, with the control that
shows it), or fixed (another version). It looks at files, never at calls. It exits with 1 where something is affected.
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
    const verdicts = advisories.flatMap((one) => judge(dist, one))
    const unnamed = advisories.filter(({ affected }) => affected.length === 0).map(({ id }) => id)
    for (const verdict of verdicts) show(verdict, io)
    for (const id of unnamed) io.out(`${id}: names no package of npm, or was withdrawn`)
    const out = value('openvex')
    if (out !== undefined) {
      // As other tools take it: the date of the sources where one is given, so that the document can be made again.
      const epoch = Number(process.env['SOURCE_DATE_EPOCH'] ?? Number.NaN)
      const atMs = Number.isFinite(epoch) ? epoch * 1_000 : Date.now()
      const vex = toOpenVex(dist.account, verdicts, { author: value('author') ?? 'svc-build', atMs })
      writeFile(out, `${JSON.stringify(vex, null, 2)}\n`)
      io.out(`→ ${out}`)
    }
    const affected = verdicts.some(({ status }) => status === 'affected')
    return { json: { verdicts, unnamed }, code: affected ? EXIT.failed : EXIT.done }
  },
}

function show({ id, package: name, version, status, because, summary, controls }: Verdict, io: ToolIo): void {
  io.out(`${id}: ${status.replace('_', ' ')}: ${name}${version === null ? '' : ` ${version}`}: ${because}`)
  if (summary !== '') io.out(`  ${summary}`)
  for (const [where, { mutation, saves }] of Object.entries(controls)) {
    io.out(`  control, ${where}: switched on, the proof names ${mutation} (${saves} bytes more)`)
  }
}
