// As pwa.js, with the script of MSW in front.
importScripts('./mockServiceWorker.js', './pwa.js');
