import { createTransport } from 'nodemailer'
import { outcomeOf, type SendOutcome } from './mapper.ts'

export type { SendOutcome } from './mapper.ts'

export interface MailMessage {
  /** One address; a list is refused by the way it is handed over. */
  to: string
  subject: string
  text: string
  html: string
  /** `<outbox-17@tideline.test>`: stays the same when the same mail is sent again, so that repeats are recognisable. */
  messageId: string
  headers?: Record<string, string>
}

export interface Mailer {
  /** Hands one mail to the server; never rejects. See SendOutcome for what to do next. */
  send(message: MailMessage): Promise<SendOutcome>
  /** Closes idle connections. */
  close(): void
}

export interface MailerOptions {
  /** smtp:// or smtps://, with user and password where the server wants them. */
  smtpUrl: string
  /** `Tideline <no-reply@tideline.test>` */
  from: string
  timeoutMs?: number
}

/** The door to a mail server. Mails can neither read files nor fetch addresses, whatever their text says. */
export function createMailer({ smtpUrl, from, timeoutMs = 10_000 }: MailerOptions): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 2,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs * 2,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async ({ to, headers, ...message }) => {
      try {
        const info = await transport.sendMail({
          from,
          // An object is one address; a text with a comma in it would reach two people.
          to: { name: '', address: to },
          ...message,
          headers: { 'Auto-Submitted': 'auto-generated', ...headers },
          disableFileAccess: true,
          disableUrlAccess: true,
        })
        return { outcome: 'delivered', response: info.response }
      } catch (error) {
        return outcomeOf(error)
      }
    },
    close: () => transport.close(),
  }
}
