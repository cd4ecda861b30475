export interface MailMessage {
  /** One address; a list is rejected. */
  to: string
  subject: string
  text: string
  html: string
  /** `<outbox-17@tideline.test>`: the same if the mail is sent again, so that duplicates can be recognized. */
  messageId: string
  attachment?: { name: string; mediaType: string; bytes: Buffer } | null
  /** Mail programs offer to end such mails, by a POST to this address (RFC 8058). */
  unsubscribeUrl?: string | null
}

export interface Mailer {
  /** Sends one mail. Never rejects; see SendOutcome for what to do next. */
  send(message: MailMessage): Promise<SendOutcome>
  /** Closes idle connections. */
  close(): void
}

interface MailerOptions {
  /** smtp:// or smtps://, with user and password if the server requires them. */
  smtpUrl: string
  /** `Tideline <no-reply@tideline.test>` */
  from: string
  timeoutMs?: number
}

/** A client for a mail server. Mails can neither read files nor fetch URLs, whatever they contain. */
export function createMailer({ smtpUrl, from, timeoutMs = 10_000 }: MailerOptions): Mailer {
  // The library takes 5 MB, and many processes never send a mail.
  const open = async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      url: smtpUrl,
      pool: true,
      maxConnections: 2,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs * 2,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }
  let transport: ReturnType<typeof open> | undefined
  return {
    send: async ({ to, attachment, unsubscribeUrl, ...message }) => {
      transport ??= open()
      const opened = await transport
      try {
        const info = await opened.sendMail({
          from,
          // As an object it is one address; a string with a comma would be two.
          to: { name: '', address: to },
          ...message,
          ...(attachment && {
            attachments: [{ filename: attachment.name, contentType: attachment.mediaType, content: attachment.bytes }],
          }),
          headers: {
            'Auto-Submitted': 'auto-generated',
            // Folded, the address would be broken at the line's end by some programs.
            ...(unsubscribeUrl && {
              'List-Unsubscribe': { prepared: true, value: `<${unsubscribeUrl}>` },
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
          disableFileAccess: true,
          disableUrlAccess: true,
        })
        return { outcome: 'delivered', response: info.response }
      } catch (error) {
        return outcomeOf(error)
      }
    },
    close: () => void transport?.then(opened => opened.close()),
  }
}

/**
 * `delivered`: the server accepted it. `permanent`: it can never be sent (5xx, or an invalid address). `retry`: the server is
 * down or asks for a later attempt (4xx).
 */
export type SendOutcome =
  | { outcome: 'delivered'; response: string }
  | { outcome: 'permanent'; code: number | null; reason: string }
  | { outcome: 'retry'; code: number | null; reason: string }

// Problems of the connection or of our credentials, which the mail did not cause.
const connectionErrors = new Set(['EAUTH', 'ECONNECTION', 'ESOCKET', 'ETIMEDOUT', 'EDNS', 'ETLS', 'EPROXY'])

function outcomeOf(error: unknown): SendOutcome {
  const { code, responseCode, message } = Object(error) as Record<'code' | 'responseCode' | 'message', unknown>
  const status = typeof responseCode === 'number' ? responseCode : null
  const reason = typeof message === 'string' ? message : 'unknown failure'
  if (typeof code === 'string' && connectionErrors.has(code)) return { outcome: 'retry', code: status, reason }
  // EENVELOPE without a reply of the server: nodemailer itself rejected the address.
  const permanent = status === null ? code === 'EENVELOPE' : status >= 500
  return { outcome: permanent ? 'permanent' : 'retry', code: status, reason }
}
