import { mount } from 'svelte';
import { registerOffline } from './clients/keep-offline.ts';
import { parseAddress } from './share/address.ts';
import App from './ui/App.svelte';
import { browserServices } from './ui/browser-services.ts';

// The command line opens the same page with another address: no view is shown then.
if (parseAddress(location.hash).view === 'headless') {
  const { runHeadless } = await import('./ui/headless.ts');
  await runHeadless();
} else {
  const target = document.getElementById('app');
  if (target === null) throw new Error('index.html has no element #app');
  mount(App, { target, props: { services: browserServices } });
  registerOffline();
}
