import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCertificates } from './certificates.ts'
import { vendorHosts } from './vendor-hosts.ts'

/**
 * Answers HTTPS on a port with a certificate for the vendors' hosts and this machine. The authority behind it stays in the
 * data folder; without one it is new at each start. Throws when the port is taken or the folder cannot be written.
 */
export async function startHttps(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  { port, host, data, publicUrl }: { port: number; host: string; data: string | undefined; publicUrl: string },
) {
  const folder = data ? join(data, 'https') : mkdtempSync(join(tmpdir(), 'emulator-https-'))
  const own = URL.parse(publicUrl)?.hostname.replace(/^\[|\]$/g, '')
  const names = new Set(['localhost', '127.0.0.1', '::1', ...(own ? [own] : []), ...vendorHosts])
  const { authorityFile, key, certificate } = await openCertificates(folder, [...names])
  const server = createServer({ key, cert: certificate }, handler)
  await once(server.listen(port, host), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    /** What clients must trust, as in NODE_EXTRA_CA_CERTS. */
    authorityFile,
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
