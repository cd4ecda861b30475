/**
 * The address of a picture that a page may show, or null: the page's policy lets it load pictures from these hosts only,
 * and one from elsewhere would be asked for, refused and complained of. A host may begin with `*.`, as in the policy.
 */
export const shownPicture = (address: string | null, hosts: readonly string[]): string | null => {
  const url = address === null ? null : URL.parse(address)
  return url && hosts.some(host => covers(host, url)) ? address : null
}

const covers = (host: string, url: URL): boolean => {
  const any = host.match(/^(https?:)\/\/\*\.(.+)$/)
  if (any) return url.protocol === any[1] && url.host.endsWith(`.${any[2]}`)
  return URL.parse(host)?.origin === url.origin
}
