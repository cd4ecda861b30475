import { escapeHtml, page } from '../core/html-page.ts'
import type { Letter } from './outbox.ts'

const when = (letter: Letter): string =>
  `<time datetime="${letter.at}">${letter.at.replace('T', ' ').slice(0, 19)} UTC</time>`

/** All messages, newest first. */
export const listPage = (letters: readonly Letter[]): string =>
  page(
    'Outbox',
    letters.length === 0
      ? '<p>Nothing has been sent yet.</p>'
      : `<ul class="list">${letters
          .map(
            letter => `<li><a href="/mail/${letter.id}">${escapeHtml(letter.subject || '(no subject)')}</a><br>
<small>to ${escapeHtml(letter.to.join(', '))} · ${when(letter)}</small></li>`,
          )
          .join('')}</ul>`,
  )

/** One message: its links to click, its text, and its HTML shut in a frame that can run nothing. */
export const letterPage = (letter: Letter): string =>
  page(
    letter.subject || '(no subject)',
    `<p><a href="/mail">All messages</a></p>
<dl><dt>From</dt><dd>${escapeHtml(letter.from)}</dd><dt>To</dt><dd>${escapeHtml(letter.to.join(', '))}</dd><dt>Sent</dt><dd>${when(letter)}</dd></dl>
${letter.links.length > 0 ? `<h2>Links</h2><ul class="list">${letter.links.map(link => `<li><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></li>`).join('')}</ul>` : ''}
<h2>Text</h2><pre>${escapeHtml(letter.text)}</pre>
${letter.html ? `<h2>HTML</h2><iframe title="The message as HTML" sandbox="allow-top-navigation-by-user-activation allow-popups" srcdoc="${escapeHtml(`<base target="_top">${letter.html}`)}"></iframe>` : ''}`,
  )
