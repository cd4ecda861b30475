import { type Html, html, page } from '../core/html.ts'
import type { Letter } from './outbox.ts'

const timeOf = ({ at }: Letter): Html => html`<time datetime="${at}">${at.replace('T', ' ').slice(0, 19)} UTC</time>`

/** All messages, newest first. */
export function listPage(letters: readonly Letter[]): Html {
  return page(
    'Outbox',
    letters.length === 0
      ? html`<p>Nothing has been sent yet.</p>`
      : html`<ul class="list">${letters.map(
          letter => html`<li><a href="/mail/${letter.id}">${letter.subject || '(no subject)'}</a><br>
<small>to ${letter.to.join(', ')} · ${timeOf(letter)}</small></li>`,
        )}</ul>`,
  )
}

/** One message: its links, its text, and its HTML in a frame without scripts. */
export function letterPage(letter: Letter): Html {
  const links = letter.links.map(link => html`<li><a href="${link}">${link}</a></li>`)
  const frame = `<base target="_top">${letter.html}`
  return page(
    letter.subject || '(no subject)',
    html`<p><a href="/mail">All messages</a></p>
<dl><dt>From</dt><dd>${letter.from}</dd><dt>To</dt><dd>${letter.to.join(', ')}</dd><dt>Sent</dt><dd>${timeOf(letter)}</dd></dl>
${links.length > 0 && html`<h2>Links</h2><ul class="list">${links}</ul>`}
<h2>Text</h2><pre>${letter.text}</pre>
${letter.html && html`<h2>HTML</h2><iframe title="The message as HTML" sandbox="allow-top-navigation-by-user-activation allow-popups" srcdoc="${frame}"></iframe>`}`,
  )
}
