/** The finaliser of MurmurHash3 (Appleby): one to one on 32 bits, every bit of which depends on every bit given. */
export function mixed(bits: number): number {
  const once = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
  return twice ^ (twice >>> 16)
}
