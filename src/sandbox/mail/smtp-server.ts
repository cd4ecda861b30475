import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { callbackify } from 'node:util'
import { buffer } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { World } from '../core/world.ts'
import { outboxOf } from './outbox.ts'

const MAX_BYTES = 5 * 1024 * 1024

/**
 * How the server answers a recipient: `bounce-550@…` (any 4xx or 5xx code) is rejected with that code each time,
 * `once-451@…` the first time only. Null: accepted.
 */
export function rejectionOf(address: string, greeted: Set<string>): { code: number; text: string } | null {
  const [, kind, code] = /^(bounce|once)-([45]\d\d)(?:[+.][^@]*)?@/.exec(address.toLowerCase()) ?? []
  if (!code || (kind === 'once' && greeted.has(address))) return null
  greeted.add(address)
  const permanent = code.startsWith('5')
  return { code: Number(code), text: permanent ? '5.1.1 No such user here' : '4.7.1 Try again later' }
}

async function deliver(world: World, stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
  const letter = await PostalMime.parse(await buffer(stream))
  outboxOf(world).add({
    from: letter.from?.address ?? '',
    to: session.envelope.rcptTo.map(recipient => recipient.address),
    subject: letter.subject ?? '',
    text: letter.text ?? '',
    html: letter.html ?? '',
  })
}

/**
 * Receives mail by SMTP on this machine (`port` 0: any free port) and adds it to the world's outbox. Any log-in is
 * accepted, STARTTLS is not offered. Rejects when the port is taken.
 */
export async function startMailServer(world: World, port: number) {
  const greeted = new Set<string>()
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    size: MAX_BYTES,
    logger: false,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? 'anybody' }),
    onRcptTo({ address }, _session, done) {
      const rejection = rejectionOf(address, greeted)
      done(rejection ? Object.assign(new Error(rejection.text), { responseCode: rejection.code }) : null)
    },
    onData: (stream, session, done) => callbackify(deliver)(world, stream, session, done),
  })
  // A client that disconnects early must not end the server.
  server.on('error', () => undefined)
  server.listen(port, 'localhost')
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise<void>(resolve => server.close(() => resolve())),
  }
}
