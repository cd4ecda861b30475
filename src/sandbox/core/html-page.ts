const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text made safe inside HTML, attributes included. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, character => entities[character] ?? character)

/** A whole page of the outside world: plain, readable on a phone, in both themes, without script. `body` is trusted HTML. */
export const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 40rem; padding: 1rem }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem }
a { color: LinkText } a, pre { overflow-wrap: anywhere } pre { white-space: pre-wrap }
.list { list-style: none; padding: 0 } .list li { padding: .75rem 0; border-bottom: 1px solid GrayText }
label, button { display: block; min-height: 2.75rem } label { display: flex; align-items: center; gap: .75rem }
fieldset { margin: 1rem 0; border: 1px solid GrayText; border-radius: .5rem }
button { width: 100%; margin: .5rem 0; border: 1px solid GrayText; border-radius: .5rem; font: inherit; font-weight: 600 }
iframe { width: 100%; min-height: 24rem; border: 1px solid GrayText; background: #fff }
dt { font-weight: 600 } dd { margin: 0 0 .5rem }
</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`
