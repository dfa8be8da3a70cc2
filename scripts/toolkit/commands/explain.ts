/** `svc-build explain`: explains why something is in a build, or why not. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ACCOUNT } from '../../build/account/account.ts'
import { distDir } from '../../build/paths.ts'
import { standardProfiles } from '../../build/plan/read-profile.ts'
import type { ProofFile } from '../../build/prove/dist.ts'
import { bold } from '../console.ts'
import { type Bringer, type Explanation, explain, type Presence } from '../explain/explain.ts'
import { DIST_WORD, openDist, readDist } from '../open-dist.ts'
import type { Tool, ToolIo } from '../tool.ts'

/** The sub-command. */
export const tool: Tool = {
  usage: '<profile> <file | package | feature | route | setting | node:built-in>',
  about: `What is in: its bytes in each bundle, all shortest chains of imports that lead to it, and the line of the profile that
asked. What is out: which profiles have it, what took it out, and the controls that show that it is out.
The profile is ${DIST_WORD}.`,
  example: `svc-build explain minimal jose
svc-build explain minimal /metrics
svc-build explain server-full security.jwt_secret`,
  words: [2, 3],
  run: async ({ words: [profile, ...rest], io }) => {
    const dist = await openDist(profile!)
    const names = standardProfiles().filter((name) => name !== dist.account.profile)
    const others = Object.fromEntries(names.map((name) => [name, proofOf(name)]))
    const answer = explain(dist, rest.join(' '), others)
    show(answer, io)
    return { json: answer }
  },
}

/** The proof of a profile; undefined if it is not built here. */
function proofOf(profile: string): ProofFile | undefined {
  const folder = distDir(profile)
  return existsSync(join(folder, ACCOUNT)) ? readDist(folder).proof : undefined
}

function show({ profile, kind, name, bundles, features, usedBy = {} }: Explanation, io: ToolIo): void {
  const isPresent = bundles.some(({ present }) => present)
  io.out(bold(io, `${kind} ${name} is ${isPresent ? 'in' : 'not in'} ${profile}`))
  for (const bundle of bundles) showBundle(bundle, kind, io)
  for (const one of features) showFeature(one, profile, io)
  for (const [other, files] of Object.entries(usedBy)) {
    const how =
      files === null ? 'not built here' : files.length === 0 ? 'does not use it' : `uses it in ${files.join(', ')}`
    io.out(`  profile ${other}: ${how}`)
  }
}

function showBundle({ file, present, bytes, files, chains, moreChains }: Presence, kind: string, io: ToolIo): void {
  const rows = Object.entries(files).sort(([, a], [, b]) => b - a)
  const emptied = rows.filter(([, size]) => size === 0).length
  const of = kind === 'route' || kind === 'setting' ? ' of its feature' : ''
  const fileCount = rows.length - emptied
  const count = `${fileCount} ${fileCount === 1 ? 'file' : 'files'}${emptied > 0 ? `, ${emptied} shaken out` : ''}`
  io.out(
    present ? `  ${file}: ${kind === 'built-in' ? 'used' : `${bytes} bytes${of}`} in ${count}` : `  ${file}: absent`,
  )
  if (!present) return
  for (const [name, size] of rows.slice(0, 5)) io.out(`    ${String(size).padStart(7)}  ${name}`)
  if (rows.length > 5) io.out(`             and ${rows.length - 5} more`)
  for (const chain of chains) io.out(`    ${chain.join(' → ')}`)
  if (moreChains > 0) io.out(`    and ${moreChains} more chains of that length`)
}

function showFeature({ feature, in: chosen, profiles, asked, controls }: Bringer, profile: string, io: ToolIo): void {
  const has = Object.entries(chosen).map(([form, choice]) => (choice === true ? form : `${form} (${choice})`))
  const present = has.length > 0
  io.out(`  feature ${feature}: ${present ? `in ${has.join(', ')}` : `absent; ${whoHas(profiles)}`}`)
  for (const { file, line, choice, form } of asked) {
    io.out(`    ${file}:${line} ${choice === 'false' ? 'takes it out of' : `asks for it (${choice}) in`} ${form}`)
  }
  if (!present && asked.length === 0) io.out(`    no line of ${profile} asks for it`)
  for (const [name, { positive, mutation, saves }] of Object.entries(controls)) {
    const more = saves < 0 ? `${-saves} bytes less` : `${saves} bytes more`
    io.out(
      `    control, ${name}: switched on, the bundle has ${positive.bytes} ` +
        `bytes of it, and the proof names ${mutation} (${more} without packages)`,
    )
  }
}

function whoHas(profiles: readonly string[]): string {
  return profiles.length === 0
    ? 'no profile of ours has it'
    : `${profiles.join(', ')} ${profiles.length === 1 ? 'has' : 'have'} it`
}
