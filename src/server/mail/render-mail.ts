import type { MailContent } from './outbox.ts'

export interface MailParts {
  subject: string
  /** For instance "Hello Anna,". */
  greeting: string
  /** Plain text; never interpreted as markup. */
  paragraphs: readonly string[]
  action?: { label: string; url: string }
  /** Small print after the action. */
  closing?: readonly string[]
}

/** Renders a mail as text and as HTML, in the design that all mails share. It needs no images. */
export function renderMail({ subject, greeting, paragraphs, action, closing = [] }: MailParts): MailContent {
  const text = [greeting, ...paragraphs, ...(action ? [`${action.label}:\n${action.url}`] : []), ...closing, 'Tideline']
  const button = action
    ? `<p style="margin:24px 0"><a href="${escape(action.url)}" style="${buttonStyle}">${escape(action.label)}</a></p>
<p style="${smallStyle}">If the button does not work, open this address:<br><a href="${escape(action.url)}">${escape(action.url)}</a></p>`
    : ''
  const body = [
    ...[greeting, ...paragraphs].map(p => `<p style="margin:0 0 16px">${escape(p)}</p>`),
    button,
    ...closing.map(p => `<p style="${smallStyle}">${escape(p)}</p>`),
  ].join('\n')
  return { subject, text: `${text.join('\n\n')}\n`, html: page(subject, body) }
}

const buttonStyle =
  'display:inline-block;padding:12px 20px;border-radius:8px;background:#0b5d6b;color:#ffffff;text-decoration:none;font-weight:600'
const smallStyle = 'margin:0 0 12px;font-size:13px;color:#51606b'

function page(title: string, body: string) {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title></head>
<body style="margin:0;background:#f2f5f6">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border-radius:12px">
<tr><td style="padding:28px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;color:#14212b">
<p style="margin:0 0 20px;font-weight:700;color:#0b5d6b">Tideline</p>
${body}
</td></tr></table></td></tr></table></body></html>
`
}

function escape(text: string) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
