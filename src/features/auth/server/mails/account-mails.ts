import { renderMail } from '#server/mail/render-mail.ts'
import type { MailContent } from '#server/mail/outbox.ts'

interface Recipient {
  firstName: string
}
const hello = ({ firstName }: Recipient) => `Hello ${firstName},`

/** After registering: the link to verify the address. */
export function verifyEmailMail(recipient: Recipient, url: string): MailContent {
  return renderMail({
    subject: 'Verify your email address',
    greeting: hello(recipient),
    paragraphs: ['Welcome to Tideline. Please verify your email address to finish your registration.'],
    action: { label: 'Verify email address', url },
    closing: ['The link works once, for 24 hours.', 'If you did not register, you can ignore this email.'],
  })
}

/** To the owner of an address that someone tried to register again. */
export function addressTakenMail(recipient: Recipient, loginUrl: string): MailContent {
  return renderMail({
    subject: 'Someone tried to register with your address',
    greeting: hello(recipient),
    paragraphs: [
      'Someone, perhaps you, tried to register at Tideline with this email address. You already have an account, so nothing was changed.',
      'If it was you, log in instead. If you forgot your password, you can choose a new one there.',
    ],
    action: { label: 'Log in', url: loginUrl },
    closing: ['If it was not you, you do not need to do anything.'],
  })
}

/** To an address that was registered before but never verified: its owner finishes by choosing a password. */
export function finishRegistrationMail(recipient: Recipient, url: string): MailContent {
  return renderMail({
    subject: 'Finish your registration',
    greeting: hello(recipient),
    paragraphs: [
      'Someone, perhaps you, tried to register at Tideline with this email address again. It was registered before, but never verified.',
      'To finish, choose your password. This also verifies your address. A password chosen earlier no longer works then.',
    ],
    action: { label: 'Choose your password', url },
    closing: ['The link works once, for 30 minutes.', 'If it was not you, you can ignore this email.'],
  })
}

/** The link to choose a new password. */
export function resetPasswordMail(recipient: Recipient, url: string): MailContent {
  return renderMail({
    subject: 'Choose a new password',
    greeting: hello(recipient),
    paragraphs: ['You asked for a new password for Tideline.'],
    action: { label: 'Choose a new password', url },
    closing: [
      'The link works once, for 30 minutes.',
      'If you did not ask for it, you can ignore this email. Your password stays the same.',
    ],
  })
}

/** After a password change. */
export function passwordChangedMail(recipient: Recipient, at: Date, forgotUrl: string): MailContent {
  return renderMail({
    subject: 'Your password was changed',
    greeting: hello(recipient),
    paragraphs: [
      `The password of your Tideline account was changed on ${at.toISOString().slice(0, 16).replace('T', ' at ')} UTC. Other devices were logged out.`,
      'If it was not you, choose a new password immediately.',
    ],
    action: { label: 'Choose a new password', url: forgotUrl },
  })
}
