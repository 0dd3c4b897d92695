import { startWorker } from 'backlot/browser';
import { definitions } from '../definitions.ts';

const name = new URLSearchParams(location.search).get('config') ?? '';
await startWorker({ api: definitions[name as keyof typeof definitions] });
document.title = 'Ready';
