import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterEach, expect, it } from 'vitest'
import { createMailer, type MailMessage } from './index.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function scene() {
  const box: { to: string[]; raw: Buffer }[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    logger: false,
    onRcptTo: ({ address }, _, done) => {
      const refuse = (responseCode: number) => done(Object.assign(new Error('no'), { responseCode }))
      if (address.startsWith('gone@')) return refuse(550)
      if (address.startsWith('later@')) return refuse(451)
      return done()
    },
    onData: (stream, session, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        box.push({ to: session.envelope.rcptTo.map(r => r.address), raw: Buffer.concat(parts) })
        done()
      })
    },
  })
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready))
  const { port } = server.server.address() as AddressInfo
  const mailer = createMailer({
    smtpUrl: `smtp://127.0.0.1:${port}`,
    from: 'Tideline <no-reply@tideline.test>',
    timeoutMs: 1000,
  })
  closers.push(() => {
    mailer.close()
    server.close()
  })
  return { box, mailer, server }
}

function message(to: string, rest: Partial<MailMessage> = {}): MailMessage {
  return {
    to,
    subject: 'Verify your e-mail – 確認',
    text: 'Open https://app.example.test/verify?token=abc',
    html: '<p><a href="https://app.example.test/verify?token=abc">Verify</a></p>',
    messageId: '<outbox-77@tideline.test>',
    ...rest,
  }
}

it('delivers a mail as it was written, recognisable when it comes twice', async () => {
  const { box, mailer } = await scene()
  expect(await mailer.send(message('user@example.test'))).toMatchObject({ outcome: 'delivered' })
  const mail = await PostalMime.parse(box[0]?.raw ?? '')
  expect(mail).toMatchObject({
    subject: 'Verify your e-mail – 確認',
    messageId: '<outbox-77@tideline.test>',
    from: { address: 'no-reply@tideline.test' },
  })
  expect(mail.text?.trim()).toBe('Open https://app.example.test/verify?token=abc')
  expect(mail.headers.find(h => h.key === 'auto-submitted')?.value).toBe('auto-generated')
})

it('offers to end a mail that comes regularly by one click, and no other', async () => {
  const { box, mailer } = await scene()
  const unsubscribeUrl = `https://app.example.test/api/notifications/unsubscribe/17.${'t'.repeat(80)}`
  await mailer.send(message('user@example.test', { unsubscribeUrl }))
  await mailer.send(message('user@example.test'))
  const mails = await Promise.all(box.map(({ raw }) => PostalMime.parse(raw)))
  const valuesOf = (key: string) => mails.map(({ headers }) => headers.find(one => one.key === key)?.value)
  expect(valuesOf('list-unsubscribe')).toEqual([`<${unsubscribeUrl}>`, undefined])
  expect(valuesOf('list-unsubscribe-post')).toEqual(['List-Unsubscribe=One-Click', undefined])
})

it('tells what will never go from what may go later', async () => {
  const { mailer } = await scene()
  expect(await mailer.send(message('gone@example.test'))).toMatchObject({ outcome: 'permanent', code: 550 })
  expect(await mailer.send(message('later@example.test'))).toMatchObject({ outcome: 'retry', code: 451 })
})

it('waits for a server that is down', async () => {
  const { mailer, server } = await scene()
  await new Promise<void>(closed => server.close(() => closed()))
  expect(await mailer.send(message('user@example.test'))).toMatchObject({ outcome: 'retry' })
})

it('reaches nobody but the one address, whatever stands in it', async () => {
  const { box, mailer } = await scene()
  await mailer.send(message('a@example.test, evil@example.test'))
  await mailer.send(message('b@example.test', { subject: 'x\r\nBcc: evil@example.test' }))
  expect(box.flatMap(b => b.to)).not.toContain('evil@example.test')
  expect(box.at(-1)?.to).toEqual(['b@example.test'])
})
