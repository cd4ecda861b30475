import type { MailContent } from '#server/mail/outbox.ts'
import { renderMail } from '#server/mail/render-mail.ts'
import { listText } from '#shared/region-format.ts'
import { invitationDays } from '../contract.ts'

const namedInMail = 5

/** The mail of an invitation. It is the same whether or not the address has an account. */
export function invitationMail(
  invitedBy: string,
  merchants: readonly string[],
  { publicUrl, token }: { publicUrl: string; token: string },
): MailContent {
  return renderMail({
    subject: `${invitedBy} invited you to Tideline`,
    greeting: 'Hello,',
    paragraphs: [
      `${invitedBy} invited you to view the advertising of ${listOf(merchants)} in Tideline. You will see the figures and change nothing.`,
    ],
    action: { label: 'Open the invitation', url: `${publicUrl}/invitation?token=${token}` },
    closing: [
      `The link works once, for ${invitationDays} days.`,
      'If you do not know who invited you, you can ignore this email: nobody gets to know.',
    ],
  })
}

function listOf(names: readonly string[]): string {
  const more = names.length - namedInMail
  const shown = more > 0 ? [...names.slice(0, namedInMail), `${more} more`] : names
  return listText(shown)
}
