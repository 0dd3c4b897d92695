/**
 * What the dashboard does, as a script for a browser, served as it is here. It asks every two seconds, and makes
 * all that it shows out of text, never out of markup. There is nothing to press before there is something to show, and
 * what stays the same stays where it is: a button that goes from under the pointer is never pressed. What stands for a
 * record has an id, so that no row becomes another's while somebody presses it.
 */
export const dashboardScript = String.raw`'use strict';
const root = location.pathname.replace(/\/_backlot\/?$/, '');
const at = (id) => document.getElementById(id);
const el = (tag, attributes, ...children) => {
  const element = Object.assign(document.createElement(tag), attributes);
  element.append(...children);
  return element;
};
const button = (text, work) => el('button', { type: 'button', onclick: () => act(work) }, text);
const line = (id, text, ...buttons) => el('div', { id, className: 'row' }, el('span', { className: 'grow' }, text), ...buttons);
const put = (id, children, none) => settle(at(id), children.length > 0 ? children : [el('p', { className: 'soft' }, none)]);
function settle(place, children) {
  const ids = new Set(children.map(({ id }) => id));
  for (const child of [...place.childNodes]) if (child.id && !ids.has(child.id)) child.remove();
  children.forEach((fresh, index) => {
    const there = place.childNodes[index];
    const old = fresh.id ? at(fresh.id) : there;
    if (old && old.cloneNode().isEqualNode(fresh.cloneNode())) {
      if (old !== there) place.insertBefore(old, there);
      old.onclick = fresh.onclick;
      settle(old, [...fresh.childNodes]);
    } else if (there && !there.id) there.replaceWith(fresh);
    else place.insertBefore(fresh, there ?? null);
  });
  while (place.childNodes.length > children.length) place.lastChild.remove();
}

async function ask(method, path, body) {
  const token = sessionStorage.getItem('backlot-token');
  const headers = { ...(token && { 'x-backlot-token': token }), ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(root + path, { method, headers, body: body && JSON.stringify(body) });
  const text = await response.text();
  if (response.status === 401 && path.startsWith('/_backlot')) at('token').hidden = false;
  if (!response.ok) throw new Error(messageOf(text) ?? response.status + ' ' + response.statusText);
  return text === '' ? undefined : JSON.parse(text);
}
function messageOf(text) {
  try {
    const { message, errors } = JSON.parse(text);
    const details = JSON.stringify(errors ?? {}).match(/"errors":\["[^\]]*/g) ?? [];
    return [message, ...details.map((one) => one.slice(10))].join(': ');
  } catch { return undefined; }
}
async function act(work) {
  try { at('notice').textContent = ''; await work(); await refresh(); }
  catch (error) { at('notice').textContent = error.message; }
}
const control = (method, path, body) => ask(method, '/_backlot/' + path, body);

let scenarios = [];
let [asked, shown] = [0, 0];
async function refresh() {
  const turn = ++asked;
  if (scenarios.length === 0) await begin();
  const [clock, snapshots, faults, journal, sessions, orders] = await Promise.all([
    ...['clock', 'snapshot', 'faults', 'journal'].map((path) => control('GET', path)),
    ...['sessions', 'orders'].map((path) => control('GET', path).catch((error) => error)),
  ]);
  if (turn < shown) return;
  shown = turn;
  showClock(clock);
  put('snapshots', snapshots.map(({ name, now }) => line('snapshots/' + name, name + ', ' + now.slice(0, 16).replace('T', ' '),
    button('Restore', () => control('POST', 'snapshot/' + name + '/restore')), button('Remove', () => control('DELETE', 'snapshot/' + name)))), 'None yet.');
  put('faults', faults.map((fault) => line('faults/' + fault.id, faultText(fault), button('Remove', () => control('DELETE', 'faults/' + fault.id)))), 'None: all goes well.');
  if (sessions instanceof Error) put('sessions', [], sessions.message);
  else showSessions(sessions);
  showJournal(journal);
  put('orders', orders instanceof Error ? [] : [table(orders)], orders.message);
  at('steer').hidden = false;
}
function faultText({ id, matched, match, first, every, probability, ...effect }) {
  const { method, path, step, ...more } = match;
  const where = [method, path, step, ...parts(more)].filter(Boolean).join(' ');
  const often = [first && 'the first ' + first, every && 'one in ' + every, probability && probability * 100 + ' %'].filter(Boolean).join('');
  return el('span', {}, el('b', {}, '#' + id + ' '), el('code', {}, where || 'all'), ' → ', el('code', {}, parts(effect).join(', ')),
    el('span', { className: 'soft' }, (often && ', ' + often) + ', met ' + matched + ' ×'));
}
const parts = (record) => Object.entries(record).filter(([name]) => name !== 'window')
  .map(([name, value]) => (name === 'status' ? '' : name + ' ') + truncate(typeof value === 'object' ? JSON.stringify(value) : String(value)));
const truncate = (text) => (text.length > 60 ? text.slice(0, 60) + '…' : text);
function showClock({ now, mode }) {
  at('now').textContent = now.slice(0, 19).replace('T', ' ') + ' UTC, ' + (mode === 'ticking' ? 'ticking' : 'standing still');
  at('tick').textContent = mode === 'ticking' ? 'Stop' : 'Let it tick';
  at('tick').onclick = () => act(() => control('PUT', 'clock', { mode: mode === 'ticking' ? 'frozen' : 'ticking' }));
}
function showSessions({ sessions, dropped }) {
  put('sessions', [
    ...sessions.map(({ name, scenario, idle_seconds, path }) => line('sessions/' + name, el('span', {}, el('a', { href: path + '/_backlot/' }, name), ' ' + scenario + ', idle ' + idle_seconds + ' s'),
      button('Reset', () => control('POST', 'sessions/' + name + '/reset', {})), button('Drop', () => control('DELETE', 'sessions/' + name)))),
    ...dropped.map(({ name, reason }) => el('p', { className: 'soft' }, name + ' was dropped: ' + reason)),
  ], 'Only the shared one.');
}
function showJournal({ entries, dropped }) {
  at('counted').textContent = entries.length + ' kept' + (dropped > 0 ? ', ' + dropped + ' dropped' : '');
  const shown = entries.slice(-30).reverse();
  const open = new Set([...at('journal').querySelectorAll('details[open]')].map(({ id }) => id));
  put('journal', shown.map((entry) => {
    const { id, method, url, step, answer: { status }, faults, script, at: when } = entry;
    const marks = [step, ...faults.map((one) => 'fault ' + one), ...script.map((one) => 'rule ' + one)].filter(Boolean).join(', ');
    const details = el('details', { id: 'journal/' + id, open: open.has('journal/' + id) },
      el('summary', {}, el('span', { className: 'method mono ' + (status === 0 || status >= 400 ? 'bad' : 'good') }, status === 0 ? 'dropped' : String(status)),
        el('code', {}, method + ' ' + url), el('span', { className: 'soft' }, ' ' + when.slice(11, 19) + (marks && ', ' + marks))),
      el('pre', {}, JSON.stringify({ request: entry.request, answer: entry.answer }, null, 2)));
    return details;
  }), 'None yet.');
}
function table(orders) {
  const money = ({ total, currency }) => (total / 100).toFixed(2) + ' ' + currency;
  const cells = (order) => [String(order.id), order.number ?? '', order.email, money(order), order.state, order.checkout_state, order.awaits ?? '',
    button('Look', () => look('order', order.id))];
  const classes = ['', 'mono roomy', 'name', 'num mono', '', '', '', 'end'];
  const rows = orders.map((order) => el('tr', { id: 'orders/' + order.id }, ...cells(order).map((cell, column) => el('td', { className: classes[column] }, cell))));
  const heads = ['id', 'number', 'customer', 'total', 'state', 'checkout', 'awaits', '']
    .map((head, column) => el('th', { className: classes[column].replace('mono', '') }, head));
  return el('table', {}, el('thead', {}, el('tr', {}, ...heads)), el('tbody', {}, ...rows));
}
async function look(machine, id) {
  const { state, transitions } = await control('GET', 'transitions/' + machine + '/' + id);
  at('machine').value = machine;
  at('record').value = id;
  at('look').scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  put('transitions', [el('p', {}, machine.replace('_', ' ') + ' ' + id + ' is ' + state), el('div', { className: 'row' }, ...transitions.filter(({ possible }) => possible)
    .map(({ transition }) => button(transition, async () => { await control('POST', 'transitions/' + machine + '/' + id, { transition }); await look(machine, id); })))], '');
}
const form = (id, work) => { at(id).onsubmit = (event) => { event.preventDefault(); act(work); }; };
form('reset', () => control('POST', 'reset', { scenario: at('scenario').value }));
form('advance', () => control('PUT', 'clock', { advance: at('duration').value }));
form('snapshot', () => control('POST', 'snapshot', { name: at('name').value }));
form('session', () => control('POST', 'sessions', { name: at('session-name').value }));
form('look', () => look(at('machine').value, at('record').value));
form('token', () => { sessionStorage.setItem('backlot-token', at('token-text').value); at('token').hidden = true; });
at('forget').onclick = () => act(() => control('DELETE', 'journal'));
for (const one of document.querySelectorAll('[data-advance]')) one.onclick = () => act(() => control('PUT', 'clock', { advance: one.dataset.advance }));
for (const one of document.querySelectorAll('[data-fault]')) one.onclick = () => act(() => control('POST', 'faults', JSON.parse(one.dataset.fault)));
at('scenario').onchange = () => { at('description').textContent = scenarios.find(({ name }) => name === at('scenario').value)?.description ?? ''; };

async function begin() {
  const { scenario } = await control('GET', 'health');
  scenarios = await control('GET', 'scenarios');
  at('scenario').replaceChildren(...scenarios.map(({ name }) => el('option', {}, name)));
  at('scenario').value = scenario;
  at('scenario').onchange();
}
act(() => {});
let lost = false;
setInterval(async () => {
  if (document.hidden) return;
  try { await refresh(); if (lost) at('notice').textContent = ''; lost = false; }
  catch (error) { at('notice').textContent = error.message; lost = true; }
}, 2000);
`;
