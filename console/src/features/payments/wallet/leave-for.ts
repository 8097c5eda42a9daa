import { webAddress } from '../../../lib/url/web-address'

/**
 * Redirects the browser to a payment page: with fields by a posted form, without fields by its address.
 * @throws Error for an address that a browser must not open.
 */
export function leaveFor(url: string, fields: Readonly<Record<string, string>>): void {
  const address = webAddress(url)
  if (address === undefined) throw new Error('the payment page has no web address')
  const entries = Object.entries(fields)
  if (entries.length === 0) {
    location.assign(address)
    return
  }
  const form = document.createElement('form')
  form.method = 'post'
  form.action = address
  form.acceptCharset = 'utf-8'
  form.hidden = true
  for (const [name, value] of entries) {
    const input = document.createElement('input')
    input.type = 'hidden'
    input.name = name
    input.value = value
    form.append(input)
  }
  document.body.append(form)
  // A field named `submit` would shadow the method.
  HTMLFormElement.prototype.submit.call(form)
  form.remove()
}
