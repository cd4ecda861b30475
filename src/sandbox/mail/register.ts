import type { FastifyInstance, FastifyReply } from 'fastify'
import { onlyWithToken } from '../core/control-token.ts'
import { html, page, type Html } from '../core/html.ts'
import { onlyOwnHosts } from '../core/send-page.ts'
import type { World } from '../core/world.ts'
import { outboxOf, type Letter } from './outbox.ts'

const timeOf = ({ at }: Letter): Html => html`<time datetime="${at}">${at.replace('T', ' ').slice(0, 19)} UTC</time>`

function listPage(letters: readonly Letter[]): Html {
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
function letterPage(letter: Letter): Html {
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

/** The outbox: pages under /mail for people, /control/mail for tests. */
export function registerMail(app: FastifyInstance, world: World): void {
  const outbox = outboxOf(world)
  const withToken = { onRequest: onlyWithToken(world) }
  const pages = { onRequest: onlyOwnHosts(world) }
  const send = (reply: FastifyReply, body: Html, status = 200): FastifyReply =>
    reply.code(status).type('text/html; charset=utf-8').send(body.toString())

  app.get('/mail', pages, (_request, reply) => send(reply, listPage(outbox.letters)))
  app.get<{ Params: { id: string } }>('/mail/:id', pages, (request, reply) => {
    const letter = outbox.letters.find(one => one.id === Number(request.params.id))
    if (letter) return send(reply, letterPage(letter))
    return send(reply, page('No such message', html`<p><a href="/mail">All messages</a></p>`), 404)
  })

  app.get('/control/mail', withToken, () => outbox.letters)
  app.delete('/control/mail', withToken, (_request, reply) => {
    outbox.clear()
    return reply.code(204).send()
  })
}
