import { startStudio } from '../../engine/studio/start.tsx';
import { storePages } from './pages.ts';

startStudio(storePages);
