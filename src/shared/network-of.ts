/**
 * The key by which rate limits count an address: an IPv4 address itself, or the first 64 bits of an IPv6 address, because one
 * household can use all the others.
 */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped) return mapped
  if (!ip.includes(':')) return ip
  const [head = '', tail = ''] = ip.toLowerCase().split('%')[0]?.split('::') ?? []
  const groups = (part: string) => part.split(':').filter(Boolean)
  const [front, back] = [groups(head), groups(tail)]
  const zeros = ip.includes('::') ? Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0') : []
  const first = [...front, ...zeros, ...back].slice(0, 4).map(group => group.replace(/^0+(?=.)/, ''))
  return `${first.join(':')}::/64`
}
