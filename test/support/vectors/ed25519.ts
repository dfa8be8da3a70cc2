/** Ed25519 signatures: the examples of RFC 8032 section 7.1, edge cases made from them, and the collections. */
import { createHash } from 'node:crypto'
import { Point } from '@noble/ed25519'
import { collected } from './collections.ts'

/** A signature and its verdict under the one rule of the service. Bytes are in hex. */
export interface SignatureCase {
  readonly name: string
  readonly pk_hex: string
  readonly msg_hex: string
  readonly sig_hex: string
  /** `unless torsion`: valid, unless the key has a part of small order, which other verifiers accept. */
  readonly expect: 'valid' | 'invalid' | 'unless torsion' | 'either'
  /** The seed of the private key, in the examples of the RFC. */
  readonly seed_hex?: string
}

/** All signatures. */
export function signatureCases(): readonly SignatureCase[] {
  return [...rfc8032, ...changed(), ...smallOrder(), ...collections()]
}

/** The message of `TEST 1024`: 1023 bytes. */
const longMessage = [
  '08b8b2b733424243760fe426a4b54908632110a66c2f6591eabd3345e3e4eb98fa6e264bf09efe12ee50f8f54e9f77b1e355f6c50544e23f',
  'b1433ddf73be84d879de7c0046dc4996d9e773f4bc9efe5738829adb26c81b37c93a1b270b20329d658675fc6ea534e0810a4432826bf58c',
  '941efb65d57a338bbd2e26640f89ffbc1a858efcb8550ee3a5e1998bd177e93a7363c344fe6b199ee5d02e82d522c4feba15452f80288a82',
  '1a579116ec6dad2b3b310da903401aa62100ab5d1a36553e06203b33890cc9b832f79ef80560ccb9a39ce767967ed628c6ad573cb116dbef',
  'efd75499da96bd68a8a97b928a8bbc103b6621fcde2beca1231d206be6cd9ec7aff6f6c94fcd7204ed3455c68c83f4a41da4af2b74ef5c53',
  'f1d8ac70bdcb7ed185ce81bd84359d44254d95629e9855a94a7c1958d1f8ada5d0532ed8a5aa3fb2d17ba70eb6248e594e1a2297acbbb39d',
  '502f1a8c6eb6f1ce22b3de1a1f40cc24554119a831a9aad6079cad88425de6bde1a9187ebb6092cf67bf2b13fd65f27088d78b7e883c8759',
  'd2c4f5c65adb7553878ad575f9fad878e80a0c9ba63bcbcc2732e69485bbc9c90bfbd62481d9089beccf80cfe2df16a2cf65bd92dd597b07',
  '07e0917af48bbb75fed413d238f5555a7a569d80c3414a8d0859dc65a46128bab27af87a71314f318c782b23ebfe808b82b0ce26401d2e22',
  'f04d83d1255dc51addd3b75a2b1ae0784504df543af8969be3ea7082ff7fc9888c144da2af58429ec96031dbcad3dad9af0dcbaaaf268cb8',
  'fcffead94f3c7ca495e056a9b47acdb751fb73e666c6c655ade8297297d07ad1ba5e43f1bca32301651339e22904cc8c42f58c30c04aafdb',
  '038dda0847dd988dcda6f3bfd15c4b4c4525004aa06eeff8ca61783aacec57fb3d1f92b0fe2fd1a85f6724517b65e614ad6808d6f6ee34df',
  'f7310fdc82aebfd904b01e1dc54b2927094b2db68d6f903b68401adebf5a7e08d78ff4ef5d63653a65040cf9bfd4aca7984a74d371459867',
  '80fc0b16ac451649de6188a7dbdf191f64b5fc5e2ab47b57f7f7276cd419c17a3ca8e1b939ae49e488acba6b965610b5480109c8b17b80e1',
  'b7b750dfc7598d5d5011fd2dcc5600a32ef5b52a1ecc820e308aa342721aac0943bf6686b64b2579376504ccc493d97e6aed3fb0f9cd71a4',
  '3dd497f01f17c0e2cb3797aa2a2f256656168e6c496afc5fb93246f6b1116398a346f1a641f3b041e989f7914f90cc2c7fff357876e506b5',
  '0d334ba77c225bc307ba537152f3f1610e4eafe595f6d9d90d11faa933a15ef1369546868a7f3a45a96768d40fd9d03412c091c6315cf4fd',
  'e7cb68606937380db2eaaa707b4c4185c32eddcdd306705e4dc1ffc872eeee475a64dfac86aba41c0618983f8741c5ef68d3a101e8a3b8ca',
  'c60c905c15fc910840b94c00a0b9d0',
].join('')

const example = (name: string, seed_hex: string, pk_hex: string, msg_hex: string, sig_hex: string): SignatureCase => ({
  ...{ name: `RFC 8032 7.1 ${name}`, seed_hex, pk_hex, msg_hex, sig_hex, expect: 'valid' },
})

const rfc8032: readonly SignatureCase[] = [
  example(
    'TEST 1',
    '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ),
  example(
    'TEST 2',
    '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ),
  example(
    'TEST 3',
    'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    'af82',
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  ),
  example(
    'TEST 1024',
    'f5e5767cf153319517630f226876b86c8160cc583bc013744c6bf255f5cc0ee5',
    '278117fc144c72340f67d0f2316e8386ceffbf2b2428c9c51fef7c597f1d426e',
    longMessage,
    '0aab4c900501b3e24d7cdf4663326a3a87df5e4843b2cbdb67cbf6e460fec350aa5371b1508f9f4528ecea23c436d94b5e8fcd4f681e30a6ac00a9704a188a03',
  ),
  example(
    'TEST SHA(abc)',
    '833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42',
    'ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf',
    createHash('sha512').update('abc').digest('hex'),
    'dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704',
  ),
]

const { n: order, p: prime } = Point.CURVE()

const toHex = (value: bigint): string =>
  Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse().toString('hex')

const fromHex = (hex: string): bigint => BigInt(`0x${Buffer.from(hex, 'hex').reverse().toString('hex')}`)

/** The signature of `TEST 3` with one part changed. */
function changed(): readonly SignatureCase[] {
  const { pk_hex, msg_hex, sig_hex } = rfc8032[2]!
  const [r, s] = [sig_hex.slice(0, 64), sig_hex.slice(64)]
  const invalid = (name: string, parts: Partial<SignatureCase>): SignatureCase => ({
    ...{ name, pk_hex, msg_hex, sig_hex, expect: 'invalid' },
    ...parts,
  })
  return [
    invalid('S + L, which is not reduced', { sig_hex: r + toHex(fromHex(s) + order) }),
    invalid('S = L', { sig_hex: r + toHex(order) }),
    invalid('S = 0', { sig_hex: r + toHex(0n) }),
    invalid('the highest bit of S', { sig_hex: r + toHex(fromHex(s) | (1n << 255n)) }),
    invalid('the sign of R', { sig_hex: toHex(fromHex(r) ^ (1n << 255n)) + s }),
    invalid('R with a y of 2^255 - 1', { sig_hex: toHex((1n << 255n) - 1n) + s }),
    invalid('R and S swapped', { sig_hex: s + r }),
    invalid('zeros', { sig_hex: '00'.repeat(64) }),
    invalid('63 bytes', { sig_hex: sig_hex.slice(0, -2) }),
    invalid('65 bytes', { sig_hex: `${sig_hex}00` }),
    invalid('no signature', { sig_hex: '' }),
    invalid('another message', { msg_hex: 'af83' }),
    invalid('a longer message', { msg_hex: 'af8200' }),
    invalid('the key of another example', { pk_hex: rfc8032[1]!.pk_hex }),
    invalid('the sign of the key', { pk_hex: toHex(fromHex(pk_hex) ^ (1n << 255n)) }),
    invalid('a key of 31 bytes', { pk_hex: pk_hex.slice(0, -2) }),
    invalid('a key that is no point', { pk_hex: `02${'00'.repeat(31)}` }),
  ]
}

/**
 * Points of small order have several encodings. A key or an R among them would make one signature valid for any
 * message.
 */
function smallOrder(): readonly SignatureCase[] {
  const eighth = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a')
  const points: Point[] = [Point.ZERO]
  while (points.length < 8) points.push(points[points.length - 1]!.add(eighth))
  const canonical = points.map((point) => point.toHex())
  const odd = [toHex(prime), toHex(prime + 1n), toHex(1n | (1n << 255n)), toHex((prime - 1n) | (1n << 255n))]
  const encodings = [...canonical, ...odd, ...[prime, prime + 1n].map((y) => toHex(y | (1n << 255n)))]
  const identity = toHex(1n)
  return [
    // With a key of small order, R = 8 k A = the identity and S = 0 satisfy the equation with the cofactor.
    ...encodings.map((pk_hex) => invalidFor(`a key of small order, ${pk_hex}`, pk_hex, identity + toHex(0n))),
    ...encodings.map((r) => invalidFor(`an R of small order, ${r}`, rfc8032[1]!.pk_hex, r + toHex(0n))),
    ...points.slice(1).map(withTorsion),
  ]
}

const invalidFor = (name: string, pk_hex: string, sig_hex: string): SignatureCase => ({
  ...{ name, pk_hex, msg_hex: '72', sig_hex, expect: 'invalid' },
})

/** A key with a part of small order, and a signature that satisfies at least the equation with the cofactor. */
function withTorsion(part: Point, index: number): SignatureCase {
  const [secret, nonce] = [11n, 13n + BigInt(index)]
  const [key, r] = [Point.BASE.multiply(secret).add(part).toHex(), Point.BASE.multiply(nonce).toHex()]
  const hash = createHash('sha512')
    .update(Buffer.from(`${r}${key}72`, 'hex'))
    .digest('hex')
  const s = (nonce + fromHex(hash) * secret) % order
  return invalidFor(`a key with a part of small order, ${index + 1}`, key, r + toHex(s))
}

interface CollectedRow extends Omit<SignatureCase, 'expect' | 'msg_hex'> {
  readonly msg_hex?: string
  readonly msg_utf8?: string
  readonly result?: string
  readonly strict_accepts?: boolean
}

function collections(): readonly SignatureCase[] {
  const read = (file: string, expect: (row: CollectedRow, index: number) => SignatureCase['expect']): SignatureCase[] =>
    collected<CollectedRow>(`ed25519/${file}.json`).map((row, index) => ({
      name: `${file} ${row.name}`,
      pk_hex: row.pk_hex,
      msg_hex: row.msg_hex ?? Buffer.from(row.msg_utf8 ?? '').toString('hex'),
      sig_hex: row.sig_hex,
      expect: expect(row, index),
    }))
  return [
    ...read('wycheproof_ed25519', ({ result }) => (result === 'valid' ? 'valid' : 'invalid')),
    ...read('cctv_ed25519vectors', ({ strict_accepts }) => (strict_accepts === true ? 'unless torsion' : 'invalid')),
    // The verdicts on three rows are a matter of policy.
    ...read('speccheck', (_, index) => ([3, 4, 5].includes(index) ? 'either' : 'invalid')),
  ]
}
