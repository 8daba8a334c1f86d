'use strict';
(() => {
  const D = JSON.parse(document.getElementById('data').textContent);
  const VERDICTS = ['survived', 'unexecuted', 'flaky', 'unverified', 'killed', 'timeout', 'excused', 'invalid'];
  const ALIVE = new Set(['survived', 'unexecuted']);
  const PAGE = 100;
  const COLUMNS = 40;

  /** An element with attributes and children; text is always text. */
  function el(tag, attrs, ...children) {
    const e = document.createElement(tag);
    for (const [k, v] of Object.entries(attrs || {})) {
      if (v === null || v === undefined || v === false) continue;
      if (k.startsWith('on')) e.addEventListener(k.slice(2), v);
      else e.setAttribute(k, v === true ? '' : v);
    }
    for (const c of children.flat()) if (c !== null && c !== undefined) e.append(c);
    return e;
  }
  const fmt = ms => ms >= 60000 ? (ms / 60000).toFixed(1) + ' min' : ms >= 1000 ? (ms / 1000).toFixed(2) + ' s' : ms.toFixed(1) + ' ms';
  const plural = (n, w) => n + ' ' + w + (n === 1 ? '' : 's');

  // Tests that execute a mutant come as hexadecimal digits of four tests each, the first test the lowest bit.
  function members(hex) {
    const set = new Set();
    for (let i = 0; i < hex.length; i++) {
      const n = parseInt(hex[i], 16);
      for (let b = 0; b < 4; b++) if (n & (1 << b)) set.add(i * 4 + b);
    }
    return set;
  }
  const M = D.mutants.map((m, n) => ({ ...m, n, file: D.files[m.f].path, op: D.operators[m.o], x: members(m.x), k: new Map(m.k) }));
  const testName = t => D.tests[t].id;
  const place = m => m.file + ':' + m.l + ':' + m.c;

  const lines = D.files.map(f => {
    const map = new Map();
    for (const s of f.segments) s.lines.forEach((text, i) => map.set(s.start + i, text));
    return map;
  });

  // ---- what is looked at -------------------------------------------------------------------------------------
  const state = { tab: 'survivors', verdicts: new Set(VERDICTS), op: '', test: '', text: '', file: 0, at: null, shown: PAGE, open: new Set() };
  const passes = m => state.verdicts.has(m.v) && (!state.op || m.op === state.op) &&
    (state.test === '' || m.x.has(+state.test) || m.k.has(+state.test)) &&
    (!state.text || (place(m) + ' ' + m.fn + ' ' + m.op + ' ' + m.i + ' ' + m.a + ' ' + m.b).toLowerCase().includes(state.text));
  const visible = () => M.filter(passes);
  const survivors = () => VERDICTS.slice(0, 2).flatMap(v => visible().filter(m => m.v === v));

  // ---- source ------------------------------------------------------------------------------------------------
  const WORDS = /\b(as|async|await|break|const|continue|crate|dyn|else|enum|extern|fn|for|if|impl|in|let|loop|match|mod|move|mut|pub|ref|return|self|Self|static|struct|super|trait|true|false|type|unsafe|use|where|while)\b/;
  const TOKENS = /(\/\/.*$)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)')|(\b\d[\w.]*)|(\b[A-Za-z_]\w*\b)|([^\w"'/]+|.)/g;
  function highlight(text) {
    const out = [];
    for (const t of text.matchAll(TOKENS)) {
      const kind = t[1] ? 'com' : t[2] ? 'str' : t[3] ? 'num' : t[4] && WORDS.test(t[4]) && t[4].match(WORDS)[0] === t[4] ? 'kw' : null;
      out.push(kind ? el('span', { class: kind }, t[0]) : t[0]);
    }
    return out;
  }

  /** Prose with names in backticks. */
  function prose(text) {
    const parts = text.split('`');
    return parts.length % 2 ? parts.map((part, i) => i % 2 ? el('code', {}, part) : part) : [text];
  }

  /** The whole lines before and after, or the replaced text alone where the lines are not at hand. */
  function change(m) {
    const known = lines[m.f];
    const before = [];
    for (let n = m.l; n <= m.el; n++) if (known.has(n)) before.push(known.get(n));
    if (m.cut || before.length !== m.el - m.l + 1) return [m.a.split('\n'), m.b.split('\n')];
    const head = Array.from(before[0]).slice(0, m.c - 1).join('');
    const tail = Array.from(before[before.length - 1]).slice(m.ec - 1).join('');
    return [before, (head + m.b + tail).split('\n')];
  }
  function diff(m) {
    const [before, after] = change(m);
    let top = 0;
    while (top < before.length && top < after.length && before[top] === after[top]) top++;
    let end = 0;
    while (end < before.length - top && end < after.length - top && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
    const pre = el('pre', { class: 'diff' });
    const some = (all, sign, cls, other) => {
      const rows = all.slice(top, all.length - end);
      rows.forEach((text, i) => {
        if (rows.length > 12 && i === 6) pre.append(el('div', { class: 'ctx' }, '  … ' + plural(rows.length - 12, 'line') + ' …'));
        if (rows.length > 12 && i >= 6 && i < rows.length - 6) return;
        if (sign === '+' && !text.trim() && !m.b.trim()) return;
        const pair = other.slice(top, other.length - end)[i];
        pre.append(el('div', { class: cls }, sign + ' ', rows.length === 1 && pair !== undefined ? marked(text, pair) : text));
      });
    };
    const context = n => lines[m.f].get(n);
    if (context(m.l - 1) !== undefined) pre.append(el('div', { class: 'ctx' }, '  ' + context(m.l - 1)));
    some(before, '-', 'del', after);
    some(after, '+', 'ins', before);
    if (context(m.el + 1) !== undefined) pre.append(el('div', { class: 'ctx' }, '  ' + context(m.el + 1)));
    return pre;
  }
  function marked(text, other) {
    const a = Array.from(text), b = Array.from(other);
    let s = 0;
    while (s < a.length && s < b.length && a[s] === b[s]) s++;
    let e = 0;
    while (e < a.length - s && e < b.length - s && a[a.length - 1 - e] === b[b.length - 1 - e]) e++;
    const mid = a.slice(s, a.length - e).join('');
    return [a.slice(0, s).join(''), mid ? el('mark', {}, mid) : null, a.slice(a.length - e).join('')];
  }

  // ---- one mutant --------------------------------------------------------------------------------------------
  function task(m) {
    const reached = m.x.size ? [...m.x].slice(0, 5).map(testName).join(', ') + (m.x.size > 5 ? ' and ' + (m.x.size - 5) + ' more' : '') : 'no test of the patch';
    const one = t => t.replace(/\s+/g, ' ').trim() || '(nothing)';
    return ['KILL-TASK  ' + place(m) + '  ' + m.fn + '  ' + m.i, '  operator   ' + m.op, '  original   ' + one(m.a),
      '  mutant     ' + one(m.b), '  reached by ' + reached, '  task       write a test that fails on this exact change'].join('\n');
  }
  function copy(text, what) {
    const done = () => toast(what + ' copied');
    const fallback = () => {
      const area = el('textarea', { style: 'position:fixed;opacity:0' });
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand('copy');
      area.remove();
      done();
    };
    if (navigator.clipboard && window.isSecureContext) navigator.clipboard.writeText(text).then(done, fallback); else fallback();
  }
  let toastTimer;
  function toast(text) {
    const t = document.getElementById('toast');
    t.textContent = text;
    t.classList.add('on');
    clearTimeout(toastTimer);
    toastTimer = setTimeout(() => t.classList.remove('on'), 1400);
  }
  function tests(label, ids) {
    if (!ids.length) return null;
    const shown = ids.slice(0, 6).flatMap((t, i) => [i ? ', ' : '', el('code', {}, testName(t))]);
    return el('div', {}, label + ' ', shown, ids.length > 6 ? ' and ' + (ids.length - 6) + ' more' : '');
  }
  function card(m, inSource) {
    const foot = [];
    if (m.v === 'unexecuted') foot.push(el('div', {}, 'no test of the patch executes it'));
    const killers = [...m.k.keys()];
    foot.push(tests('killed by', killers));
    foot.push(tests(killers.length ? 'also executed by' : 'executed by', [...m.x].filter(t => !m.k.has(t))));
    if (m.r) foot.push(el('div', {}, m.r));
    if (m.h === 'killed') foot.push(el('div', {}, 'the historical suite notices it, which is not to the patch’s credit'));
    return el('article', { class: 'card' + (state.at === m.n ? ' at' : ''), id: (inSource ? 's' : 'm') + m.n, 'data-verdict': m.v },
      el('div', { class: 'head' },
        el('code', { class: 'place' }, place(m)), el('span', { class: 'tag ' + m.v }, m.v),
        el('span', {}, m.op), el('code', { class: 'grow ctx' }, m.fn),
        ALIVE.has(m.v) ? el('button', { type: 'button', 'data-copy': 'task', onclick: () => copy(task(m), 'task') }, 'Copy task') : null,
        el('button', { type: 'button', title: m.i, onclick: () => copy(m.i, 'ID') }, 'Copy ID'),
        inSource ? null : el('button', { type: 'button', onclick: () => openSource(m) }, 'Source')),
      diff(m), el('div', { class: 'foot' }, foot));
  }

  // ---- views -------------------------------------------------------------------------------------------------
  const views = {
    survivors: ['Survivors', () => survivors().length, () => listed(survivors(), m => card(m), 'No survivor passes the filters.')],
    source: ['Source', () => D.files.length, sourceView],
    mutants: ['All mutants', () => visible().length, mutantsView],
    matrix: ['Kill matrix', null, matrixView],
    tests: ['Tests', () => D.tests.length, testsView],
    details: ['Details', null, detailsView],
  };
  function more(all) {
    return all.length > state.shown
      ? el('button', { type: 'button', class: 'more', onclick: () => { state.shown += 5 * PAGE; draw(); } }, 'Show more of ' + all.length)
      : null;
  }
  function listed(all, show, empty) {
    if (!all.length) return el('p', { class: 'empty' }, empty);
    return el('div', {}, all.slice(0, state.shown).map(show), more(all));
  }
  function mutantsView() {
    const all = visible();
    if (!all.length) return el('p', { class: 'empty' }, 'No mutant passes the filters.');
    const head = ['verdict', 'place', 'function', 'operator', 'change', 'killed by', 'time'];
    return el('div', { class: 'scroll' },
      el('table', {}, el('thead', {}, el('tr', {}, head.map(h => el('th', { scope: 'col' }, h)))),
        el('tbody', {}, all.slice(0, state.shown).map(m => el('tr', { id: 'm' + m.n, class: state.at === m.n ? 'at' : null, 'data-verdict': m.v },
          el('td', {}, el('span', { class: 'tag ' + m.v }, m.v)),
          el('td', {}, el('a', { href: '#', onclick: e => { e.preventDefault(); openSource(m); } }, el('code', {}, place(m)))),
          el('td', {}, el('code', {}, m.fn)), el('td', {}, m.op),
          el('td', {}, el('code', {}, clip(m.a)), ' → ', el('code', {}, clip(m.b) || '(nothing)')),
          el('td', {}, [...m.k].slice(0, 2).flatMap(([t, how], i) => [i ? ', ' : '', el('code', {}, testName(t)), ' (' + how + ')'])),
          el('td', { class: 'right' }, m.ms ? fmt(m.ms) : ''))))),
      more(all));
  }
  const clip = t => { const s = t.replace(/\s+/g, ' '); return s.length > 70 ? s.slice(0, 69) + '…' : s; };

  function sourceView() {
    const files = D.files.map((f, i) => {
      const mine = M.filter(m => m.f === i && passes(m));
      const dead = mine.filter(m => m.v === 'killed' || m.v === 'timeout').length;
      return el('button', { type: 'button', 'aria-current': i === state.file ? 'true' : null, onclick: () => { state.file = i; state.open.clear(); draw(); } },
        f.path, el('small', {}, plural(mine.length, 'mutant') + ', ' + dead + ' dead'));
    });
    const f = D.files[state.file];
    const body = el('div', { class: 'panel source', style: 'padding-left:0;padding-right:0' });
    if (!f) return el('p', { class: 'empty' }, 'No file.');
    if (!f.segments.length) body.append(el('div', { class: 'gap' }, 'The source of this file was not at hand, or is another version than was mutated.'), el('div', { class: 'inline' }, M.filter(m => m.f === state.file && passes(m)).slice(0, 200).map(m => card(m, true))));
    const at = new Map();
    for (const m of M) if (m.f === state.file && passes(m)) (at.get(m.l) || at.set(m.l, []).get(m.l)).push(m);
    const why = new Map(D.unmutated.filter(u => u.f === state.file).map(u => [u.l, u.r]));
    let last = 0;
    for (const s of f.segments) {
      if (s.start > last + 1) body.append(el('div', { class: 'gap' }, '… ' + plural(s.start - last - 1, 'line') + ' …'));
      s.lines.forEach((text, i) => {
        const n = s.start + i;
        const here = at.get(n) || [];
        const dots = here.slice(0, 4).map(m => el('i', { class: 'dot ' + m.v }));
        const open = () => { if (state.open.has(n)) state.open.delete(n); else state.open.add(n); draw(); };
        const label = plural(here.length, 'mutant') + ' on line ' + n + ': ' + here.map(m => m.v + ' ' + m.op).join(', ');
        const changed = f.ranges.some(r => r[0] <= n && n <= r[1]);
        body.append(el('div', { class: 'row' + (changed ? ' changed' : ''), id: 'L' + n, title: why.has(n) ? 'no mutant: ' + why.get(n) : null },
          el('span', { class: 'n' }, String(n)),
          el('span', { class: 'm' }, here.length ? el('button', { type: 'button', 'aria-expanded': String(state.open.has(n)), 'aria-label': label, title: label, onclick: open }, dots, here.length > 4 ? '+' : null) : null),
          el('span', {}, highlight(text))));
        if (here.length && state.open.has(n)) body.append(el('div', { class: 'inline' }, here.map(m => card(m, true))));
      });
      last = s.start + s.lines.length - 1;
    }
    return el('div', { class: 'layout' }, el('nav', { class: 'files panel', 'aria-label': 'Files', style: 'padding:.4rem' }, files), body);
  }
  function openSource(m) {
    Object.assign(state, { tab: 'source', file: m.f, at: m.n, open: new Set([m.l]) });
    draw();
    const row = document.getElementById('L' + m.l);
    if (row) row.scrollIntoView({ block: 'center' });
  }

  function matrixView() {
    const all = visible().filter(m => m.x.size || m.k.size);
    if (!all.length || !D.tests.length) return el('p', { class: 'empty' }, 'No test of the patch executes a mutant that passes the filters.');
    const columns = D.tests.map((t, i) => i).filter(t => state.test === '' || +state.test === t);
    const shown = columns.slice(0, COLUMNS);
    return el('div', {}, el('p', { class: 'ctx' }, '■ killed by this test, · executed by it and not noticed, or not tried after an earlier kill.',
        columns.length > COLUMNS ? ' The first ' + COLUMNS + ' of ' + columns.length + ' tests; choose a test above to see another.' : ''),
      el('div', { class: 'scroll' }, el('table', { class: 'matrix' },
        el('thead', {}, el('tr', {}, el('th', { scope: 'col' }), shown.map(t => el('th', { scope: 'col', title: testName(t) }, el('span', {}, D.tests[t].name))))),
        el('tbody', {}, all.slice(0, state.shown).map(m => el('tr', { id: 'm' + m.n, 'data-verdict': m.v },
          el('th', { scope: 'row' }, el('i', { class: 'dot ' + m.v, title: m.v }), el('a', { href: '#', title: clip(m.a) + ' → ' + clip(m.b), onclick: e => { e.preventDefault(); openSource(m); } }, place(m)), ' ' + m.op),
          shown.map(t => m.k.has(t) ? el('td', { class: 'cell k', title: m.k.get(t) }, '■') : el('td', { class: 'cell' }, m.x.has(t) ? '·' : ''))))))),
      more(all));
  }
  function testsView() {
    if (!D.tests.length) return el('p', { class: 'empty' }, 'The patch adds or changes no test.');
    const kills = D.tests.map(() => 0), executes = D.tests.map(() => 0);
    for (const m of M) { for (const t of m.k.keys()) kills[t]++; for (const t of m.x) executes[t]++; }
    return el('div', { class: 'scroll' }, el('table', {},
      el('thead', {}, el('tr', {}, ['test', 'change', 'unmutated', 'time', 'executes', 'kills'].map((h, i) => el('th', { scope: 'col', class: i > 2 ? 'right' : null }, h)))),
      el('tbody', {}, D.tests.map((t, i) => el('tr', {},
        el('td', {}, el('a', { href: '#', title: 'Only the mutants of this test', onclick: e => { e.preventDefault(); filterTest(i); } }, el('code', {}, t.id)), t.file ? el('div', { class: 'ctx' }, t.file + (t.line ? ':' + t.line : '')) : null),
        el('td', {}, t.change), el('td', {}, t.outcome), el('td', { class: 'right' }, t.ms === null ? '' : fmt(t.ms)),
        el('td', { class: 'right' }, String(executes[i])),
        el('td', { class: 'right' }, t.toothless ? el('span', { class: 'tag survived' }, 'toothless') : String(kills[i])))))),
      el('p', { class: 'ctx' }, 'A test that is credited with no kill may still kill what an earlier one killed first; a toothless one kills no mutant at all.'));
  }
  function filterTest(i) { state.test = String(i); state.tab = 'mutants'; state.shown = PAGE; controls(); draw(); }

  function detailsView() {
    const longest = Math.max(...D.timings.map(t => t[1]), 1);
    const reasons = new Map();
    for (const u of D.unmutated) (reasons.get(u.r) || reasons.set(u.r, []).get(u.r)).push(u);
    return el('div', {},
      el('h2', {}, 'Where the time went'),
      el('div', { class: 'panel time' }, D.timings.flatMap(([name, ms]) => [el('span', {}, name), el('span', {}, el('i', { style: 'width:' + 100 * ms / longest + '%' })), el('b', {}, fmt(ms))])),
      D.unmutated.length ? [el('h2', {}, 'Changed production lines without a mutant'),
        el('div', { class: 'scroll' }, el('table', {}, el('thead', {}, el('tr', {}, ['reason', 'lines', 'where'].map(h => el('th', { scope: 'col' }, h)))),
          el('tbody', {}, [...reasons].map(([r, us]) => el('tr', {}, el('td', {}, el('code', {}, r)), el('td', {}, String(us.length)),
            el('td', {}, el('code', {}, us.slice(0, 8).map(u => D.files[u.f].path + ':' + u.l).join(', ') + (us.length > 8 ? ', …' : ''))))))))] : null,
      D.notes.length ? [el('h2', {}, 'Notes'), el('ul', { class: 'plain' }, D.notes.map(n => el('li', {}, prose(n))))] : null);
  }

  // ---- frame -------------------------------------------------------------------------------------------------
  const root = document.getElementById('views');
  const tabs = el('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Views' });
  const filters = el('div', { class: 'filters', role: 'search' });
  const body = el('div', { id: 'view', role: 'tabpanel', tabindex: '-1' });
  function controls() {
    const set = (key, value) => { state[key] = value; state.shown = PAGE; draw(); };
    const present = VERDICTS.filter(v => M.some(m => m.v === v));
    const chips = present.map(v => el('button', {
      type: 'button', class: 'chip', 'aria-pressed': String(state.verdicts.has(v)), 'data-filter': v,
      onclick: e => {
        if (state.verdicts.has(v)) state.verdicts.delete(v); else state.verdicts.add(v);
        e.currentTarget.setAttribute('aria-pressed', String(state.verdicts.has(v)));
        state.shown = PAGE;
        draw();
      },
    }, el('i', { class: 'dot ' + v }), v));
    const choose = (key, label, options) => {
      const select = el('select', { 'aria-label': label, 'data-choose': key, onchange: e => set(key, e.target.value) },
        el('option', { value: '' }, label), options.map(([value, text]) => el('option', { value }, text)));
      select.value = state[key];
      return select;
    };
    const search = el('input', { type: 'search', placeholder: 'Search  ( / )', 'aria-label': 'Search', oninput: e => set('text', e.target.value.toLowerCase()) });
    search.value = state.text;
    filters.replaceChildren(...chips,
      choose('op', 'Any operator', [...D.operators].sort().map(o => [o, o])),
      choose('test', 'Any test', D.tests.map((t, i) => [String(i), t.id])), search);
  }
  function draw() {
    tabs.replaceChildren(...Object.entries(views).map(([id, [name, count]]) => el('button', {
      type: 'button', role: 'tab', id: 'tab-' + id, 'aria-selected': String(state.tab === id), 'aria-controls': 'view',
      onclick: () => { Object.assign(state, { tab: id, shown: PAGE, at: null }); draw(); },
    }, name, count ? el('small', {}, ' ' + count()) : null)));
    body.setAttribute('aria-labelledby', 'tab-' + state.tab);
    body.replaceChildren(views[state.tab][2]());
  }

  // ---- keyboard ----------------------------------------------------------------------------------------------
  const help = el('dialog', {}, el('h2', { style: 'margin-top:0' }, 'Keys'),
    el('dl', {}, [['1 … 6', 'views'], ['j, k', 'next, previous mutant'], ['o', 'its source'], ['c', 'copy its task'], ['/', 'search'], ['d', 'dark or light'], ['?', 'this list'], ['Esc', 'close, leave the search']]
      .flatMap(([k, v]) => [el('dt', {}, el('kbd', {}, k)), el('dd', {}, v)])), el('form', { method: 'dialog' }, el('button', {}, 'Close')));
  function step(by) {
    const all = (state.tab === 'survivors' ? survivors() : visible());
    if (!all.length) return;
    const now = all.findIndex(m => m.n === state.at);
    const next = Math.min(all.length - 1, Math.max(0, now < 0 ? 0 : now + by));
    state.at = all[next].n;
    if (state.tab === 'source') return openSource(all[next]);
    if (state.tab !== 'survivors' && state.tab !== 'mutants') state.tab = 'mutants';
    if (next >= state.shown) state.shown = next + PAGE;
    draw();
    const here = document.getElementById('m' + state.at);
    if (here) here.scrollIntoView({ block: 'nearest' });
  }
  document.addEventListener('keydown', e => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName);
    if (e.key === 'Escape' && typing) return e.target.blur();
    if (typing || e.ctrlKey || e.metaKey || e.altKey || help.open) return;
    const ids = Object.keys(views);
    const at = M.find(m => m.n === state.at);
    if (e.key >= '1' && e.key <= String(ids.length)) { Object.assign(state, { tab: ids[e.key - 1], shown: PAGE }); draw(); }
    else if (e.key === 'j') step(1);
    else if (e.key === 'k') step(-1);
    else if (e.key === 'o' && at) openSource(at);
    else if (e.key === 'c' && at) copy(task(at), 'task');
    else if (e.key === '/') { e.preventDefault(); filters.querySelector('input').focus(); }
    else if (e.key === 'd') theme();
    else if (e.key === '?') help.showModal();
  });
  tabs.addEventListener('keydown', e => {
    const by = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0;
    if (!by) return;
    const ids = Object.keys(views);
    state.tab = ids[(ids.indexOf(state.tab) + by + ids.length) % ids.length];
    draw();
    document.getElementById('tab-' + state.tab).focus();
  });

  // ---- dark mode ---------------------------------------------------------------------------------------------
  const stored = { get: () => { try { return localStorage.getItem('hunkmut-theme'); } catch { return null; } }, set: v => { try { localStorage.setItem('hunkmut-theme', v); } catch { /* a file without storage */ } } };
  const dark = () => (document.documentElement.dataset.theme || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
  function theme() {
    document.documentElement.dataset.theme = dark() ? 'light' : 'dark';
    stored.set(document.documentElement.dataset.theme);
  }
  if (stored.get()) document.documentElement.dataset.theme = stored.get();

  document.querySelector('header').append(
    el('button', { type: 'button', id: 'theme', onclick: theme, title: 'd' }, 'Dark / light'),
    el('button', { type: 'button', onclick: () => help.showModal(), title: '?' }, 'Keys'));
  document.body.append(help);
  root.append(el('div', { class: 'bar-top' }, tabs, filters), body);
  root.hidden = false;
  if (!M.some(m => ALIVE.has(m.v))) state.tab = M.length ? 'mutants' : 'details';
  controls();
  draw();
  document.documentElement.dataset.ready = 'true';
})();
