// Google (Chrome, Edge on Android, Opera, Samsung), Mozilla, Apple, Microsoft.
const known =
  /^(?:fcm\.googleapis\.com|(?:[\w-]+\.)+(?:push\.services\.mozilla\.com|push\.apple\.com|notify\.windows\.com))$/

/**
 * True when an address that a browser told us is one of the makers' push services over https, or at one of the `further`
 * origins. Everything else would let a user make this server call into its own network.
 */
export function isPushService(endpoint: string, further: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, hostname, port, username, password, origin } = new URL(endpoint)
  if (username !== '' || password !== '') return false
  return further.includes(origin) || (protocol === 'https:' && port === '' && known.test(hostname))
}
