/** sign and verify. */
import { spawnSync } from 'node:child_process'
import { createPublicKey } from 'node:crypto'
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { bundleFromJSON } from '@sigstore/bundle'
import { toSignedEntity, toTrustMaterial, VerificationError, Verifier } from '@sigstore/verify'
import * as assert from 'uvu/assert'
import { distDir } from '../../../scripts/build/paths.ts'
import { encode } from '../../../scripts/toolkit/attest/envelope.ts'
import type { Case } from '../case.ts'
import type { Rig } from '../rig.ts'

interface Envelope {
  readonly payloadType: string
  readonly payload: string
  readonly signatures: { readonly keyid: string; readonly sig: string }[]
}

/** Verifies a changed copy of the build, and returns the exit code and the output. */
function verifyChanged({ path, run }: Rig, change: (folder: string) => void): { code: number | null; out: string } {
  rmSync(path('copy'), { recursive: true, force: true })
  cpSync(path('dist/edge'), path('copy'), { recursive: true })
  change(path('copy'))
  const { code, out } = run(['verify', './copy', '--key', 'release.pem.pub', '--signature', 'dist/edge.dsse.json'])
  return { code, out }
}

/** The cases. */
export const signatureCases: readonly Case[] = [
  [
    'sign: openssl verifies the DSSE envelope with SLSA provenance',
    ({ good, read, write, path }) => {
      assert.match(
        good('sign', 'edge.ts', '--new-key', 'release.pem'),
        /\d+ files, key sha256:[0-9a-f]{64}\n→ \.\/dist\/edge\.dsse\.json/,
      )
      const { payloadType, payload, signatures } = JSON.parse(read('dist/edge.dsse.json')) as Envelope
      const body = Buffer.from(payload, 'base64')
      const statement = JSON.parse(body.toString()) as {
        _type: string
        predicateType: string
        subject: { name: string }[]
      }
      assert.is(statement._type, 'https://in-toto.io/Statement/v1')
      assert.is(statement.predicateType, 'https://slsa.dev/provenance/v1')
      assert.equal(
        statement.subject.map(({ name }) => name),
        readdirSync(path('dist/edge')).sort(),
      )
      writeFileSync(path('signed'), encode(payloadType, body))
      writeFileSync(path('signature'), Buffer.from(signatures[0]!.sig, 'base64'))
      const args = [
        'pkeyutl',
        '-verify',
        '-pubin',
        '-inkey',
        'release.pem.pub',
        '-rawin',
        '-in',
        'signed',
        '-sigfile',
        'signature',
      ]
      const { stdout, stderr } = spawnSync('openssl', args, { cwd: path('.'), encoding: 'utf8' })
      assert.match(stdout, 'Signature Verified Successfully', stderr)
      write('note', '')
    },
  ],
  [
    "sign: Sigstore's verifier accepts the envelope with the right key only, and refuses another payload or type",
    ({ read, path }) => {
      const envelope = JSON.parse(read('dist/edge.dsse.json')) as Envelope
      const accepts = (dsseEnvelope: unknown, pem: string = read('release.pem.pub')): boolean => {
        const bundle = bundleFromJSON({
          mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
          verificationMaterial: { publicKey: { hint: envelope.signatures[0]!.keyid }, tlogEntries: [] },
          dsseEnvelope,
        })
        const trusted = { publicKey: createPublicKey(pem), validFor: () => true }
        const none = { mediaType: '', tlogs: [], ctlogs: [], certificateAuthorities: [], timestampAuthorities: [] }
        // Only the key is trusted: there is no signature log, and no authority for certificates or timestamps.
        const verifier = new Verifier(
          toTrustMaterial(none, () => trusted),
          { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 },
        )
        try {
          verifier.verify(toSignedEntity(bundle))
          return true
        } catch (error) {
          assert.instance(error, VerificationError)
          return false
        }
      }
      assert.ok(accepts(envelope))
      const payload = Buffer.from(`${Buffer.from(envelope.payload, 'base64').toString()} `).toString('base64')
      assert.not.ok(accepts({ ...envelope, payload }))
      assert.not.ok(accepts({ ...envelope, payloadType: 'text/plain' }))
      spawnSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', 'other.pem'], { cwd: path('.') })
      spawnSync('openssl', ['pkey', '-in', 'other.pem', '-pubout', '-out', 'other.pub'], { cwd: path('.') })
      assert.not.ok(accepts(envelope, read('other.pub')))
    },
  ],
  [
    'verify: a signed build is accepted, and signing again gives the same bytes',
    ({ good, read }) => {
      assert.is(good('verify', 'edge.ts', '--key', 'release.pem.pub'), 'ok   proof\nok   signature\n→ ./dist/edge/\n')
      const before = read('dist/edge.dsse.json')
      good('sign', 'edge.ts', '--key', 'release.pem')
      assert.is(read('dist/edge.dsse.json'), before)
      assert.match(good('verify', 'edge.ts'), 'no --key')
    },
  ],
  [
    'verify: a changed, additional or missing file, a link, and a proof of another build are refused',
    (rig) => {
      const refusals: readonly (readonly [(folder: string) => void, RegExp])[] = [
        [(folder) => appendFileSync(`${folder}/index.mjs`, ' '), /index\.mjs is not the file that was proven/],
        [
          (folder) => appendFileSync(`${folder}/proof.json`, ' '),
          /ok {3}proof\nFAIL signature\n {5}proof\.json is not the file that was signed/,
        ],
        [(folder) => writeFileSync(`${folder}/more.mjs`, ''), /more\.mjs was not there when it was signed/],
        [(folder) => rmSync(`${folder}/svc.mjs`), /svc\.mjs is missing/],
        [
          (folder) => copyFileSync(join(distDir('minimal'), 'proof.json'), `${folder}/proof.json`),
          /index\.mjs is not the file that was proven/,
        ],
        [
          (folder) => {
            rmSync(folder, { recursive: true })
            cpSync(distDir('minimal'), folder, { recursive: true })
          },
          /ok {3}proof\nFAIL signature\n {5}It was signed as a build of edge, and is one of minimal\./,
        ],
      ]
      for (const [change, said] of refusals) {
        const { code, out } = verifyChanged(rig, change)
        assert.is(code, 1, out)
        assert.match(out, said)
      }
      const linked = verifyChanged(rig, (folder) => {
        rmSync(`${folder}/svc.mjs`)
        symlinkSync(rig.path('dist/edge/svc.mjs'), `${folder}/svc.mjs`)
      })
      assert.is(linked.code, 1, linked.out)
    },
  ],
  [
    'verify: another key, payload or type, garbage, and a key from inside the folder are refused',
    ({ run, read, write, path, good }) => {
      const envelope = JSON.parse(read('dist/edge.dsse.json')) as Envelope
      const verify = (key: string): string => run(['verify', 'edge.ts', '--key', key, '--signature', 'forged.json']).out
      const forge = (change: object): void => write('forged.json', JSON.stringify({ ...envelope, ...change }))
      forge({})
      assert.match(verify('other.pub'), 'It is not signed by the key')
      const other = Buffer.from(
        Buffer.from(envelope.payload, 'base64').toString().replace('index.mjs', 'index.js'),
      ).toString('base64')
      for (const change of [{ payload: other }, { signatures: [] }]) {
        forge(change)
        assert.match(verify('release.pem.pub'), 'It is not signed by the key')
      }
      for (const change of [{ payloadType: 'text/plain' }, { payload: 7 }, { payload: `${envelope.payload}\n` }]) {
        forge(change)
        assert.match(verify('release.pem.pub'), /FAIL signature\n {5}The signature does not hold/)
      }
      write('forged.json', '[1,')
      assert.match(verify('release.pem.pub'), 'holds no signature')
      mkdirSync(path('inside'), { recursive: true })
      cpSync(path('dist/edge'), path('inside'), { recursive: true })
      copyFileSync(path('release.pem.pub'), path('inside/key.pub'))
      const { code, err } = run(['verify', './inside', '--key', 'inside/key.pub'])
      assert.is(code, 78)
      assert.match(err, 'lies in the folder that it is to vouch for')
      assert.is(run(['sign', './inside', '--key', 'release.pem']).code, 1, 'an unproven folder is not signed')
      assert.match(good('verify', 'edge.ts', '--key', 'release.pem.pub'), 'ok   signature')
    },
  ],
  [
    'verify --rebuild: a rebuild gives the same files, and a forged proof is refused',
    ({ run, path, read, write }) => {
      rmSync(path('forged'), { recursive: true, force: true })
      cpSync(path('dist/edge'), path('forged'), { recursive: true })
      const proof = JSON.parse(read('forged/proof.json')) as { bundles: { out: object }[] }
      proof.bundles[0]!.out = {}
      write('forged/proof.json', `${JSON.stringify(proof, null, 2)}\n`)
      const { code, out } = run(['verify', './forged', '--rebuild', '--profile', 'edge.ts'])
      assert.is(code, 1)
      // All other files are equal.
      assert.match(out, /ok {3}proof\nFAIL rebuild\n {5}proof\.json is another when built again\.\n {5}no --key/)
    },
  ],
]
