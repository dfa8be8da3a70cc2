/** Primes whose residues identify moduli of the weak generator. One of 2^27 sound moduli is identified by mistake. */
const PRIMES: readonly number[] = [11, 13, 17, 19, 37, 53, 61, 71, 73, 79, 97, 103, 107, 109, 127, 151, 157]

const GENERATOR = 65537

/**
 * Whether an RSA modulus comes from the generator of CVE-2017-15361, whose keys can be factored. The primes of such a key are
 * powers of 65537 modulo a product of small primes, and so the modulus is a power of 65537 modulo each of these primes.
 */
export function isWeakModulus(modulus: bigint): boolean {
  return PRIMES.every((prime) => isPowerOf(GENERATOR % prime, Number(modulus % BigInt(prime)), prime))
}

function isPowerOf(base: number, value: number, prime: number): boolean {
  let power = 1
  do {
    if (power === value) return true
    power = (power * base) % prime
  } while (power !== 1)
  return false
}
