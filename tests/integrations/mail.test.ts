import { expect, it } from 'vitest'
import { createMailer } from '#integrations/mail/index.ts'
import { startSandbox } from '#sandbox/start-sandbox.ts'

it('a mail arrives in the outbox with its links', async () => {
  const sandbox = await startSandbox({ scenario: 'new-seller' })
  const mailer = createMailer({
    smtpUrl: `smtp://localhost:${sandbox.smtpPort}`,
    from: 'Tideline <no-reply@tideline.test>',
  })
  try {
    const sent = await mailer.send({
      to: 'seller@sandbox.test',
      subject: 'Verify your e-mail',
      text: 'http://localhost:8080/verify-email?token=abc',
      html: '<a href="http://localhost:8080/verify-email?token=abc">Verify</a>',
      messageId: '<outbox-1@tideline.test>',
    })
    expect(sent).toMatchObject({ outcome: 'delivered' })
    const outbox = (await (await sandbox.control('GET', 'mail')).json()) as {
      to: unknown
      subject: string
      links: string[]
    }[]
    expect(outbox).toMatchObject([{ subject: 'Verify your e-mail' }])
    expect(outbox[0]?.links).toContain('http://localhost:8080/verify-email?token=abc')
  } finally {
    mailer.close()
    await sandbox.close()
  }
})
