import { renderMail } from '#server/mail/render-mail.ts'
import type { MailContent } from '#server/mail/outbox.ts'

interface Reader {
  firstName: string
}
const hello = ({ firstName }: Reader) => `Hello ${firstName},`

/** After registering: the link that verifies the address. */
export function verifyEmailMail(reader: Reader, url: string): MailContent {
  return renderMail({
    subject: 'Verify your email address',
    greeting: hello(reader),
    paragraphs: ['Welcome to Tideline. Please verify your email address to finish your registration.'],
    action: { label: 'Verify email address', url },
    closing: ['The link works once, for 24 hours.', 'If you did not register, ignore this mail: nothing will happen.'],
  })
}

/** To the owner of an address with which someone tried to register. */
export function addressTakenMail(reader: Reader, loginUrl: string): MailContent {
  return renderMail({
    subject: 'Someone tried to register with your address',
    greeting: hello(reader),
    paragraphs: [
      'Someone, perhaps you, tried to register at Tideline with this email address. You have an account already, so nothing was changed.',
      'If it was you, log in instead; there you can also choose a new password.',
    ],
    action: { label: 'Log in', url: loginUrl },
    closing: ['If it was not you, there is nothing that you need to do.'],
  })
}

/** To an address that was registered before but never verified: only its owner can finish, with a password of their own. */
export function finishRegistrationMail(reader: Reader, url: string): MailContent {
  return renderMail({
    subject: 'Finish your registration',
    greeting: hello(reader),
    paragraphs: [
      'Someone, perhaps you, tried to register at Tideline with this email address once more. It was registered before, but never verified.',
      'To finish, choose your password. This verifies your address as well; a password chosen earlier is void from then on.',
    ],
    action: { label: 'Choose your password', url },
    closing: ['The link works once, for 30 minutes.', 'If it was not you, ignore this mail: nothing will happen.'],
  })
}

/** The link that lets choose a new password. */
export function resetPasswordMail(reader: Reader, url: string): MailContent {
  return renderMail({
    subject: 'Choose a new password',
    greeting: hello(reader),
    paragraphs: ['You asked for a new password for Tideline.'],
    action: { label: 'Choose a new password', url },
    closing: [
      'The link works once, for 30 minutes.',
      'If you did not ask for it, ignore this mail: your password stays as it is.',
    ],
  })
}

/** Tells that the password is another one now. */
export function passwordChangedMail(reader: Reader, at: Date, forgotUrl: string): MailContent {
  return renderMail({
    subject: 'Your password was changed',
    greeting: hello(reader),
    paragraphs: [
      `The password of your Tideline account was changed on ${at.toISOString().slice(0, 16).replace('T', ' at ')} UTC. Other devices were logged out.`,
      'If it was not you, choose a new password at once.',
    ],
    action: { label: 'Choose a new password', url: forgotUrl },
  })
}
