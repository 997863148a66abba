import { describe, expect, test } from 'vitest'
import { checkEndpoint, readEndpointUrl } from './endpointUrl.ts'
import { isAllowedAddress } from './publicAddress.ts'

const CLOSED = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '127.0.0.1', '127.9.9.9', '169.254.169.254', '172.16.0.1', '172.31.255.255'],
  ...['192.0.0.1', '192.0.2.1', '192.168.1.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', 'fc00::1', 'fd12:3456::1', 'fe80::1', 'fec0::1', 'ff02::1', '2001:db8::1', '100::1', '4000::1'],
  // IPv4 in the clothes of IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo.
  ...['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::7f00:1', '::a00:1', '::ffff:0:7f00:1', '64:ff9b::7f00:1', '2002:7f00:1::', '2001::1'],
]
const OPEN = ['8.8.8.8', '172.32.0.1', '100.128.0.1', '::ffff:8.8.8.8', '2606:4700:4700::1111']
const LOOPBACK = ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']

describe('isAllowedAddress', () => {
  test('lets public addresses through and no others', () => {
    expect(CLOSED.filter((address) => isAllowedAddress(address, { allowLoopback: false }))).toEqual([])
    expect(OPEN.filter((address) => !isAllowedAddress(address, { allowLoopback: false }))).toEqual([])
    expect(isAllowedAddress('example.com', { allowLoopback: true })).toBe(false)
  })

  test('with loopback opened, loopback alone is added', () => {
    expect(CLOSED.filter((address) => isAllowedAddress(address, { allowLoopback: true }))).toEqual(LOOPBACK)
  })
})

const accepts = (url: string, allowLoopback: boolean) => {
  try {
    readEndpointUrl(url, { allowLoopback })
    return true
  } catch {
    return false
  }
}
const inUrl = (address: string) => (address.includes(':') ? `[${address}]` : address)

describe('readEndpointUrl', () => {
  test.each([
    'https://hooks.example.com/a?b=c',
    'https://example.com:8443/',
    'https://8.8.8.8/x',
    'https://[2606:4700:4700::1111]/',
    'https://example.com.',
  ])('takes %s', (url) => {
    expect(accepts(url, false)).toBe(true)
  })

  test.each([
    ...['', 'nonsense', '/hook', 'http://example.com/', 'ftp://example.com/', 'file:///etc/passwd', 'javascript:1'],
    ...['https://user:pass@example.com/', 'https://localhost/', 'https://LOCALHOST./', 'https://a.localhost/', 'https://intranet/'],
    ...['https://db.local/', 'https://db.LOCAL./', 'https://x.internal/', 'https://printer.home.arpa/', 'https://nas.lan/'],
    // Other ways to write 127.0.0.1.
    ...[
      'https://127.1/',
      'https://0x7f.1/',
      'https://2130706433/',
      'https://0177.0.0.1/',
      'https://１２７.0.0.1/',
      'https://[::ffff:7f00:1]/',
    ],
    `https://example.com/${'x'.repeat(2048)}`,
    // A parser drops these, and reads another address than a person does.
    ...[
      'https://exa\tmple.com/',
      'https://example.com/\n',
      '\u0000https://example.com/',
      'https://example.com/a\r\nb',
      'https://example.com/\u0085',
    ],
  ])('refuses %s', (url) => {
    expect(accepts(url, false)).toBe(false)
  })

  test('refuses every address that is not public', () => {
    expect(CLOSED.filter((address) => accepts(`https://${inUrl(address)}/`, false))).toEqual([])
  })

  test('with loopback opened, takes loopback and http there, and nothing else', () => {
    for (const url of ['http://127.0.0.1:1/', 'https://127.0.0.1/', 'http://localhost:1/', 'http://[::1]/'])
      expect(accepts(url, true)).toBe(true)
    for (const url of ['http://8.8.8.8/', 'http://example.com/', 'http://10.0.0.1/', 'https://db.local/', 'https://a.localhost/']) {
      expect([url, accepts(url, true)]).toEqual([url, false])
    }
    expect(CLOSED.filter((address) => accepts(`https://${inUrl(address)}/`, true))).toEqual(LOOPBACK)
  })

  test('says what was given, what is wrong with it and what is allowed', () => {
    expect(() => readEndpointUrl('http://example.com/', { allowLoopback: false })).toThrow(
      expect.objectContaining({
        code: 'WEBHOOK_URL',
        message: expect.stringMatching(/"http:\/\/example\.com\/" is http:\/\/, not https.*: give an https:\/\/ URL on a public host/),
      }),
    )
    expect(() => readEndpointUrl('https://me:hush@example.com/', { allowLoopback: false })).toThrow(/^((?!hush).)*$/)
  })
})

describe('checkEndpoint', () => {
  const check = (addresses: readonly string[], allowLoopback = false) =>
    checkEndpoint('https://hooks.example.com/', { allowLoopback, resolve: () => Promise.resolve(addresses) }).then(
      () => 'taken',
      (thrown: Error) => thrown.message,
    )

  test('refuses a name that leads anywhere that is not public', async () => {
    expect(await check(['8.8.8.8', '2606:4700:4700::1111'])).toBe('taken')
    expect(await check(['8.8.8.8', '192.168.0.1'])).toMatch(/leads to 192\.168\.0\.1, which is not public/)
    expect(await check(['::ffff:127.0.0.1'])).toMatch(/not public/)
    expect(await check(['127.0.0.1'], true)).toBe('taken')
    expect(await check(['10.0.0.1'], true)).toMatch(/not public/)
  })

  test('takes a name that leads nowhere yet', async () => {
    expect(await check([])).toBe('taken')
    const resolve = () => Promise.reject(new Error('ENOTFOUND'))
    await expect(checkEndpoint('https://hooks.example.com/', { allowLoopback: false, resolve })).resolves.toBeInstanceOf(URL)
  })
})
