import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Suite } from '../../../src/contracts/judge.ts';
import { ATTACKS, aimedAt } from '../../judge/attacks.ts';
import { controlSuite } from '../../judge/golden-suites.ts';
import { openJudgePage, type JudgePage } from '../../judge/judge-page.ts';
import { LEAKS } from '../../judge/leaks.ts';

let judge: JudgePage;

beforeAll(async () => {
  // A zone of its own, since a browser in UTC would hide a leak of the local time.
  judge = await openJudgePage({ timeZone: 'America/New_York' });
  await judge.page.evaluate(async () => {
    localStorage.setItem('secret', 'page');
    indexedDB.open('secret');
    Object.assign(window, { strayMessages: 0 });
    window.addEventListener(
      'message',
      () => ((window as unknown as { strayMessages: number }).strayMessages += 1),
    );
    await window.oracle.open({ workers: 2 });
    (window as unknown as { strayMessages: number }).strayMessages = 0;
  });
});
afterAll(() => judge.close());

test(`none of ${ATTACKS.length} attacks in Python succeeds, and the suite after each passes`, async () => {
  expect(ATTACKS.length).toBeGreaterThanOrEqual(60);
  const suites = ATTACKS.flatMap(({ id, code, tests }): Suite[] => [
    { form: 'asserts', id, code: aimedAt(code, judge.origin), tests: tests ?? ['assert attack() is True'] },
    controlSuite(`after ${id}`),
  ]);
  const { results } = await judge.page.evaluate(
    (list) => window.oracle.run(list, { timeoutMs: 1_000 }),
    suites,
  );
  const succeeded = results.filter(({ id, verdict }) => !id.startsWith('after ') && verdict === 'pass');
  expect(succeeded.map(({ id }) => id)).toEqual([]);
  const harmed = results.filter(({ id, verdict }) => id.startsWith('after ') && verdict !== 'pass');
  expect(harmed).toEqual([]);
  expect(judge.requests).toEqual([]);
  const page = await judge.page.evaluate(() => ({
    secret: localStorage.getItem('secret'),
    stray: (window as unknown as { strayMessages: number }).strayMessages,
    title: document.title,
    frames: document.querySelectorAll('iframe').length,
  }));
  expect(page).toEqual({ secret: 'page', stray: 0, title: 'oracle tests', frames: 1 });
  if (process.env['ASSAY_DEBUG'] !== undefined)
    for (const { id, verdict, tests } of results)
      if (!id.startsWith('after ')) console.log(id, verdict, tests[0]?.message.slice(0, 100));
});

test('nothing that a candidate changes is seen by the next, in either order', async () => {
  const change = ({ id, change: code }: (typeof LEAKS)[number]): Suite => ({
    form: 'asserts',
    id: `change ${id}`,
    code: `${code}\n`,
    tests: ['assert True'],
  });
  const probe = ({ id, probe: assertion }: (typeof LEAKS)[number], when: string): Suite => ({
    form: 'asserts',
    id: `${when} ${id}`,
    code: '',
    tests: [`assert ${assertion}`],
  });
  const suites = LEAKS.flatMap((leak) => [probe(leak, 'before'), change(leak), probe(leak, 'after')]);
  const run = (list: Suite[]) => judge.page.evaluate((all) => window.oracle.run(all), list);
  const forwards = await run(suites);
  const failed = forwards.results.filter(({ verdict }) => verdict !== 'pass');
  expect(failed.map(({ id, tests }) => [id, tests[0]?.message])).toEqual([]);
  const backwards = await run([...suites].reverse());
  expect(backwards.results.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
});

test('JavaScript in an interpreter worker, as if Python had broken out, reaches nothing', async () => {
  const workers = judge.page.workers();
  expect(workers.length).toBeGreaterThanOrEqual(3);
  for (const worker of workers) {
    const reached = await worker.evaluate(async (origin) => {
      const attempts: Record<string, () => unknown> = {
        fetch: () => fetch(`${origin}/stolen`),
        'fetch without cors': () => fetch(`${origin}/stolen`, { mode: 'no-cors' }),
        'fetch a blob of another origin': () => fetch(`blob:${origin}/x`),
        xhr: () => {
          const request = new XMLHttpRequest();
          request.open('GET', `${origin}/stolen`, false);
          request.send();
        },
        'web socket': () =>
          new Promise((resolve, reject) => {
            const socket = new WebSocket(`${origin.replace('http', 'ws')}/stolen`);
            socket.onopen = resolve;
            socket.onerror = reject;
          }),
        'event source': () =>
          new Promise((resolve, reject) => {
            const source = new EventSource(`${origin}/stolen`);
            source.onopen = resolve;
            source.onerror = reject;
          }),
        importScripts: () =>
          (self as unknown as { importScripts(url: string): void }).importScripts(`${origin}/stolen.js`),
        worker: () =>
          new Promise((resolve, reject) => {
            const inner = new Worker(`${origin}/stolen.js`);
            inner.onmessage = resolve;
            inner.onerror = reject;
          }),
        'indexed db': () =>
          new Promise((resolve, reject) => {
            const request = indexedDB.open('secret');
            request.onsuccess = resolve;
            request.onerror = reject;
          }),
        'private file system': () => navigator.storage.getDirectory(),
        caches: () => (self as unknown as { caches: CacheStorage }).caches.open('x'),
        eval: () => (0, eval)('1'),
        'function constructor': () => new Function('return 1')(),
        locks: () => navigator.locks.query(),
      };
      const got: string[] = [];
      for (const [name, attempt] of Object.entries(attempts)) {
        try {
          await Promise.race([attempt(), new Promise((_, reject) => setTimeout(reject, 500))]);
          got.push(name);
        } catch {
          continue;
        }
      }
      return got;
    }, judge.origin);
    // Evaluation itself runs with the debugger's leave to evaluate text, which a candidate has not.
    expect(reached.filter((name) => name !== 'eval' && name !== 'function constructor')).toEqual([]);
  }
  expect(judge.requests).toEqual([]);
});

test('JavaScript in the frame’s document reaches nothing, and cannot leave', async () => {
  const frame = judge.page.frames().find((each) => each !== judge.page.mainFrame());
  const reached = await frame?.evaluate(async (origin) => {
    const element = (html: string): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const holder = document.createElement('div');
        holder.innerHTML = html;
        const child = holder.firstElementChild as HTMLElement;
        child.onload = resolve;
        child.onerror = reject;
        document.documentElement.append(child);
      });
    const attempts: Record<string, () => unknown> = {
      fetch: () => fetch(`${origin}/stolen`),
      image: () => element(`<img src="${origin}/stolen.png">`),
      style: () => element(`<link rel="stylesheet" href="${origin}/stolen.css">`),
      prefetch: () => element(`<link rel="prefetch" href="${origin}/stolen">`),
      object: () => element(`<object data="${origin}/stolen"></object>`),
      video: () => element(`<video src="${origin}/stolen.mp4" autoplay></video>`),
      script: () =>
        new Promise((resolve, reject) => {
          const script = document.createElement('script');
          script.src = `${origin}/stolen.js`;
          script.onload = resolve;
          script.onerror = reject;
          document.documentElement.append(script);
        }),
      form: () => {
        const form = document.createElement('form');
        form.action = `${origin}/stolen`;
        form.method = 'post';
        document.documentElement.append(form);
        form.submit();
        return new Promise((_, reject) => setTimeout(reject, 200));
      },
      'web socket': () =>
        new Promise((resolve, reject) => {
          const socket = new WebSocket(`${origin.replace('http', 'ws')}/stolen`);
          socket.onopen = resolve;
          socket.onerror = reject;
        }),
      beacon: () => {
        navigator.sendBeacon(`${origin}/stolen`, 'x');
        return Promise.reject(new Error('counted by the server'));
      },
      'new window': () => window.open(`${origin}/stolen`) ?? Promise.reject(new Error('refused')),
      'top navigation': () => {
        (window.top as Window).location.href = `${origin}/stolen`;
      },
      'parent document': () => window.parent.document.title,
      'parent storage': () => window.parent.localStorage.getItem('secret'),
      'own storage': () => window.localStorage.length,
      cookies: () => (document.cookie = 'a=1'),
      'indexed db': () =>
        new Promise((resolve, reject) => {
          const request = indexedDB.open('secret');
          request.onsuccess = resolve;
          request.onerror = reject;
        }),
      'peer connection': () => new RTCPeerConnection(),
    };
    const got: string[] = [];
    for (const [name, attempt] of Object.entries(attempts)) {
      try {
        await Promise.race([attempt(), new Promise((_, reject) => setTimeout(reject, 500))]);
        got.push(name);
      } catch {
        continue;
      }
    }
    return got;
  }, judge.origin);
  expect(reached).toEqual([]);
  expect(judge.requests).toEqual([]);
  // The page is still there and still judges.
  const { results } = await judge.page.evaluate(
    (suite) => window.oracle.run([suite]),
    controlSuite('still here'),
  );
  expect(results[0]?.verdict).toBe('pass');
});

test('a frame that navigates itself reaches no server and is replaced', async () => {
  const frame = judge.page.frames().find((each) => each !== judge.page.mainFrame());
  // It loses its document at once, and with it the evaluation.
  await frame
    ?.evaluate((origin) => void (window.location.href = `${origin}/stolen`), judge.origin)
    .catch(() => undefined);
  await judge.page.waitForTimeout(300);
  const { results } = await judge.page.evaluate(
    (suite) => window.oracle.run([suite]),
    controlSuite('after leaving'),
  );
  expect(results[0]?.verdict).toBe('pass');
  expect(judge.requests).toEqual([]);
  expect(judge.page.frames().length).toBe(2);
});

test('a message that the sandbox never sends does not become a verdict', async () => {
  const frame = judge.page.frames().find((each) => each !== judge.page.mainFrame());
  await frame?.evaluate(() =>
    window.parent.postMessage(
      { t: 'result', n: 1, outcomes: [{ verdict: 'pass', message: '' }], ms: 1, expired: false, remarks: [] },
      '*',
    ),
  );
  const wrong: Suite = {
    form: 'asserts',
    id: 'wrong',
    code: 'def f(n):\n    return 0\n',
    tests: ['assert f(1) == 2'],
  };
  const { results } = await judge.page.evaluate((suite) => window.oracle.run([suite]), wrong);
  expect(results[0]?.verdict).toBe('wrong');
});
