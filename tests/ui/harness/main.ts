import { mount } from 'svelte';
import App from '../../../src/ui/App.svelte';
import { fixtureServices } from './fixture-services.ts';

const target = document.getElementById('app');
if (target === null) throw new Error('index.html has no element #app');
mount(App, { target, props: { services: fixtureServices() } });
