/** The headers of the tarballs in dist/: no user name, no group name, and no time of the builder. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { distDir } from '../../scripts/build/paths.ts'
import { version } from '../../scripts/build/version.ts'
import { testUnless } from '../support/skip.ts'

const test = suite('tarballs of dist')
const BLOCK = 512
/** The time of every file, which npm gives too: 1985-10-26T08:15:00Z. A header that has only a long name has none. */
const TIMES_S = [499_162_500, 0]

interface Header {
  readonly name: string
  readonly ids: readonly number[]
  readonly atS: number
  readonly names: readonly string[]
}

/** The headers of a tar file (POSIX.1-2001 ustar). */
function headersOf(tar: Buffer): readonly Header[] {
  const headers: Header[] = []
  for (let at = 0; tar[at] !== 0; ) {
    const text = (from: number, length: number): string =>
      tar.toString('latin1', at + from, at + from + length).replace(/\0.*$/s, '')
    const octal = (from: number, length: number): number => Number.parseInt(text(from, length).trim() || '0', 8)
    headers.push({
      name: text(0, 100),
      ids: [octal(108, 8), octal(116, 8)],
      atS: octal(136, 12),
      names: [text(265, 32), text(297, 32)],
    })
    at += BLOCK * (1 + Math.ceil(octal(124, 12) / BLOCK))
  }
  return headers
}

for (const name of ['svc', 'svc-toolkit']) {
  const path = join(distDir(''), `${name}-${version}.tgz`)
  testUnless(
    test,
    existsSync(path) ? undefined : `${path} has not been built`,
    `${name}: nothing of the builder`,
    () => {
      const packed = readFileSync(path)
      // RFC 1952 section 2.3.1: bytes 4 to 7 are the time, and flag 8 announces a file name.
      assert.equal([packed.readUInt32LE(4), packed[3]! & 8], [0, 0])
      const headers = headersOf(gunzipSync(packed))
      assert.ok(headers.length > 10)
      for (const { name, ids, atS, names } of headers) {
        assert.equal({ ids, names }, { ids: [0, 0], names: ['', ''] }, name)
        assert.ok(TIMES_S.includes(atS), name)
      }
    },
  )
}

test.run()
